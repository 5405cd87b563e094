import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** Makes a run one of an earlier coppice, whose journal and result do not say what they belong to: its record can be changed. */
export function forgetRun(directory: string): void {
  const journal = join(directory, "journal.ndjson");
  const result = join(directory, "result.json");
  const { journal: _, ...answer } = JSON.parse(readFileSync(result, "utf8")) as { journal: unknown };
  writeFileSync(result, JSON.stringify(answer));
  const lines = readFileSync(journal, "utf8").split("\n");
  lines[0] = sealed(lines[0].slice(lines[0].indexOf(",") + 1).replace(/,"run":\{.*\}\}$/, "}"));
  writeFileSync(journal, lines.join("\n"));
}

/** Changes a recorded outcome in a journal and makes its line's checksum fit again, as a forger would. */
export function changeOutcome(journal: string, key: string, value: string): void {
  const lines = readFileSync(journal, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes('"type":"completed"') && line.includes(`"key":"${key}"`));
  assert.ok(at >= 0, `${journal} has no outcome of ${key}`);
  const body = lines[at].slice(lines[at].indexOf(",") + 1).replace(/"value":.*\}$/, `"value":${value}}`);
  lines[at] = sealed(body);
  writeFileSync(journal, lines.join("\n"));
}

function sealed(body: string): string {
  return `{"crc":"${crc32(body).toString(16).padStart(8, "0")}",${body}`;
}
