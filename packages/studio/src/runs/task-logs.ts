import { closeSync, readSync } from "node:fs";
import { beginning } from "@coppice/engine/printable";
import type { LoggedLines } from "../wire.ts";
import { openFile } from "./run-files.ts";

/** So much of a log is read for one attempt: its end. */
const MOST_BYTES = 512 * 1024;
const MOST_LINES = 100;
const MOST_LETTERS = 2000;
/** A line of a log is cut when it is written; this holds the longest with room to spare. */
const LINE_BYTES = 512 * 1024;

/** When a worker had a task: from when it was given it to when it was answered or lost. */
export interface TimeAtWorker {
  readonly worker: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The last lines that a worker logged while it had a task: the task's own, and those that name no task. */
export function loggedDuring(directory: string, ask: number, { worker, fromMs, toMs }: TimeAtWorker): LoggedLines {
  const own: string[] = [];
  const unmarked: string[] = [];
  // What a long log began with was put aside.
  for (const name of [`logs/worker-${worker}.earlier.log`, `logs/worker-${worker}.log`]) {
    for (const line of linesOf(directory, name, toMs)) {
      const logged = parsed(line);
      if (logged === undefined || logged.atMs < fromMs || logged.atMs > toMs) continue;
      if (logged.task === ask) own.push(logged.text);
      else if (logged.task === undefined) unmarked.push(logged.text);
    }
  }
  return { own: own.slice(-MOST_LINES), unmarked: unmarked.slice(-MOST_LINES) };
}

/** Lines up to a moment, the last ones if they are many; none where there is no such file. */
function linesOf(directory: string, name: string, toMs: number): readonly string[] {
  let fd: number;
  let bytes: number;
  try {
    ({ fd, bytes } = openFile(directory, name));
  } catch {
    return [];
  }
  try {
    const end = endOf(fd, bytes, toMs);
    const begin = Math.max(0, end - MOST_BYTES);
    const lines = textAt(fd, begin, end - begin).split("\n");
    return begin === 0 ? lines : lines.slice(1); // the first was cut in two
  } finally {
    closeSync(fd);
  }
}

/** Where the first line stands that was written after a moment: a log is in order of time. */
function endOf(fd: number, bytes: number, toMs: number): number {
  let [least, most] = [0, bytes];
  while (most - least > MOST_BYTES / 8) {
    const middle = Math.floor((least + most) / 2);
    const [, line] = textAt(fd, middle, Math.min(LINE_BYTES, bytes - middle)).split("\n", 2);
    const at = timeOf(line ?? "");
    if (at === undefined || at > toMs) most = middle;
    else least = middle;
  }
  // A little too much: whoever reads looks at the times.
  return Math.min(bytes, most + MOST_BYTES / 8);
}

function textAt(fd: number, at: number, length: number): string {
  const block = Buffer.allocUnsafe(length);
  return block.toString("utf8", 0, readSync(fd, block, 0, length, at));
}

function timeOf(line: string): number | undefined {
  const [, time] = /^\{"level":"\w+","time":"([^"]+)"/.exec(line) ?? [];
  const at = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(at) ? undefined : at;
}

/** What somebody printed: not what the run itself said of its tasks, which stands there with their keys, or of the worker. */
function parsed(
  line: string,
): { readonly atMs: number; readonly task: number | undefined; readonly text: string } | undefined {
  const atMs = timeOf(line);
  if (atMs === undefined) return undefined;
  try {
    const { level: _, time: __, task, msg, ...more } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof msg !== "string" || Object.keys(more).length > 0) return undefined;
    return { atMs, task: typeof task === "number" ? task : undefined, text: beginning(msg, MOST_LETTERS) };
  } catch {
    return undefined;
  }
}
