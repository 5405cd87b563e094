import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { InputText } from "@coppice/airspace";
import { UsageError } from "@coppice/engine/usage-error";

/** Reads the text file an option names; `.gz` is unpacked. */
export function inputText(option: string, path: string): InputText {
  try {
    const bytes = readFileSync(path);
    return { source: path, text: (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8") };
  } catch (error) {
    throw new UsageError(`${option} ${path}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
}
