import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TimingRecord } from "./record.ts";

/** Records of a period, in the order they were written, and how many lines could not be read. */
export interface RecordsRead {
  readonly records: readonly TimingRecord[];
  readonly corruptLines: number;
}

/** Reads the records since a moment; lines that are damaged are counted and passed over (M-05). */
export function readRecords(stateDir: string, since: number): RecordsRead {
  const records: TimingRecord[] = [];
  let corruptLines = 0;
  for (const file of timingFiles(stateDir)) {
    for (const line of readFileSync(join(stateDir, file), "utf8").split("\n")) {
      if (line === "") continue;
      const record = parse(line);
      if (record === undefined) corruptLines++;
      else if (record.ts >= since) records.push(record);
    }
  }
  return { records, corruptLines };
}

/** Weeks in order; within a week the files that were put aside come before the one being written. */
function timingFiles(stateDir: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(stateDir);
  } catch {
    return [];
  }
  const parts = names
    .map((name) => /^timing-(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.jsonl$/.exec(name))
    .filter((found) => found !== null);
  const age = (number: string | undefined): number =>
    number === undefined ? Number.POSITIVE_INFINITY : Number(number);
  return parts.sort((a, b) => (a[1] === b[1] ? age(a[2]) - age(b[2]) : a[1] < b[1] ? -1 : 1)).map(([name]) => name);
}

function parse(line: string): TimingRecord | undefined {
  try {
    const value = JSON.parse(line) as Partial<TimingRecord>;
    const whole =
      (value.kind === "hook" && typeof value.duration_ms === "number" && typeof value.hook === "string") ||
      (value.kind === "event" && typeof value.elapsed_ms === "number");
    return whole && typeof value.ts === "number" && typeof value.event === "string"
      ? (value as TimingRecord)
      : undefined;
  } catch {
    return undefined;
  }
}
