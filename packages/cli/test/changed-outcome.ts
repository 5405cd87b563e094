import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";

/** Changes a recorded outcome in a journal and makes its line's checksum fit again, as a forger would. */
export function changeOutcome(journal: string, key: string, value: string): void {
  const lines = readFileSync(journal, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes('"type":"completed"') && line.includes(`"key":"${key}"`));
  assert.ok(at >= 0, `${journal} has no outcome of ${key}`);
  const body = lines[at].slice(lines[at].indexOf(",") + 1).replace(/"value":.*\}$/, `"value":${value}}`);
  lines[at] = `{"crc":"${crc32(body).toString(16).padStart(8, "0")}",${body}`;
  writeFileSync(journal, lines.join("\n"));
}
