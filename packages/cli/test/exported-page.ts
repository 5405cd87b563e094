import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** What a page that was written to a file has in it to show. */
export function shownIn(file: string): Readonly<Record<string, unknown>> {
  const packed = /<script type="text\/plain" id="state">([^<]*)</.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as Record<string, unknown>;
}
