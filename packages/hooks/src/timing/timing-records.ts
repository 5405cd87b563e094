import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseFields } from "../json-fields.ts";
import type { EventRun } from "../run/run-event.ts";
import { appendToState, makeStateDirectory } from "../state-directory.ts";

interface EventMarks {
  /** Milliseconds since the epoch at the start of the event. */
  readonly ts: number;
  /** Joins the records of one event. */
  readonly run: string;
  readonly session: string;
  readonly event: string;
}

/** One hook's run (M-01). Never holds a prompt, a tool's input or a command line. */
export interface HookRecord extends EventMarks {
  readonly kind: "hook";
  readonly hook: string;
  readonly stage: number;
  readonly queued_ms: number;
  readonly duration_ms: number;
  readonly timeout_ms: number;
  readonly exit: number | null;
  readonly outcome: string;
  readonly bytes: number;
}

/** One event (M-02): what it took, and what it would have taken one by one. */
export interface EventRecord extends EventMarks {
  readonly kind: "event";
  readonly hooks: number;
  readonly stages: number;
  readonly elapsed_ms: number;
  /** Sum over stages of the longest hook: the least this staging can take. */
  readonly critical_path_ms: number;
  readonly serial_sum_ms: number;
  readonly saved_ms: number;
}

export type TimingRecord = HookRecord | EventRecord;

/** When timing files are put aside and thrown away. */
export interface Rotation {
  readonly maxBytes: number;
  readonly keepDays: number;
}

const defaultRotation: Rotation = { maxBytes: 4 * 1024 * 1024, keepDays: 56 };

const DAY_MS = 86_400_000;

/** The Monday of a week and, of a file that was put aside, its number. */
const FILE_NAME = /^timing-(\d{4}-\d\d-\d\d)(?:\.(\d+))?\.jsonl$/;

/** The records of one event. */
export function timingRecords(event: string, session: string, ts: number, run: EventRun): readonly TimingRecord[] {
  const id = `${ts.toString(36)}-${process.pid.toString(36)}`;
  const base = { ts, run: id, session, event };
  const hooks = run.timings.map(
    (timing): HookRecord => ({
      kind: "hook",
      ...base,
      hook: timing.hook.name,
      stage: timing.stage + 1,
      queued_ms: tenths(timing.queuedMs),
      duration_ms: tenths(timing.durationMs),
      timeout_ms: timing.hook.timeoutMs,
      exit: "code" in timing.ending ? timing.ending.code : null,
      outcome: outcomeOf(timing.ending),
      bytes: timing.outputBytes,
    }),
  );
  const longest = new Map<number, number>();
  for (const { stage, durationMs } of run.timings) longest.set(stage, Math.max(longest.get(stage) ?? 0, durationMs));
  const serialMs = run.timings.reduce((sum, timing) => sum + timing.durationMs, 0);
  const total: EventRecord = {
    kind: "event",
    ...base,
    hooks: run.timings.length,
    stages: longest.size,
    elapsed_ms: tenths(run.elapsedMs),
    critical_path_ms: tenths([...longest.values()].reduce((sum, ms) => sum + ms, 0)),
    serial_sum_ms: tenths(serialMs),
    saved_ms: tenths(serialMs - run.elapsedMs),
  };
  return [...hooks, total];
}

/** Appends records to this week's file; returns why it could not, because hooks must not suffer from it (M-06). */
export function appendRecords(
  directory: string,
  records: readonly TimingRecord[],
  rotation: Rotation = defaultRotation,
): string | undefined {
  if (records.length === 0) return undefined;
  const name = `timing-${weekOf(records[0].ts)}.jsonl`;
  const file = join(directory, name);
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  try {
    const size = lstatSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) prepare(directory, records[0].ts, rotation);
    else if (size >= rotation.maxBytes) renameSync(file, freeName(file));
    appendToState(directory, name, text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Once a week: makes the directory and throws away files that are too old (M-04). */
function prepare(directory: string, ts: number, rotation: Rotation): void {
  makeStateDirectory(directory);
  const oldest = weekOf(ts - rotation.keepDays * DAY_MS);
  for (const name of readdirSync(directory)) {
    const week = FILE_NAME.exec(name)?.[1];
    if (week !== undefined && week < oldest) rmSync(join(directory, name), { force: true });
  }
}

function freeName(file: string): string {
  for (let n = 1; ; n++) {
    const name = file.replace(/\.jsonl$/, `.${n}.jsonl`);
    if (statSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

/** The Monday (UTC) of a moment's week, as a date. */
function weekOf(ts: number): string {
  const days = Math.floor(ts / DAY_MS);
  // 1 January 1970 was a Thursday.
  return new Date((days - ((days + 3) % 7)) * DAY_MS).toISOString().slice(0, 10);
}

function outcomeOf(ending: EventRun["timings"][number]["ending"]): string {
  if (ending.kind !== "exited") return ending.kind;
  return ending.code === 0 ? "ok" : ending.code === 2 ? "block" : "failed";
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Records of a period, in the order they were written, and how many lines could not be read. */
export interface RecordsRead {
  readonly records: readonly TimingRecord[];
  readonly corruptLines: number;
}

/** Reads the records since a moment; damaged lines are counted and skipped (M-05). */
export function readRecords(stateDir: string, since: number): RecordsRead {
  const records: TimingRecord[] = [];
  let corruptLines = 0;
  for (const file of timingFiles(stateDir)) {
    for (const line of readFileSync(join(stateDir, file), "utf8").split("\n")) {
      if (line === "") continue;
      const record = parseRecord(line);
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
  const parts = names.map((name) => FILE_NAME.exec(name)).filter((found) => found !== null);
  const age = ([, , number]: RegExpExecArray): number => (number === undefined ? Number.MAX_VALUE : Number(number));
  return parts.sort((a, b) => (a[1] === b[1] ? age(a) - age(b) : a[1] < b[1] ? -1 : 1)).map(([name]) => name);
}

function parseRecord(line: string): TimingRecord | undefined {
  const value = parseFields(line);
  const ofHook = value?.kind === "hook" && typeof value.hook === "string";
  const tookMs = ofHook ? value.duration_ms : value?.kind === "event" ? value.elapsed_ms : undefined;
  const whole = typeof value?.ts === "number" && typeof value.event === "string" && typeof tookMs === "number";
  return whole ? (value as unknown as TimingRecord) : undefined;
}
