import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type InputText, InvalidInput } from "@coppice/airspace";

/** Reads the text file an option names; `.gz` is unpacked. */
export function inputText(option: string, path: string): InputText {
  try {
    const bytes = readFileSync(path);
    return { source: path, text: (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8") };
  } catch (error) {
    throw new InvalidInput(`${option} ${path}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
}
