import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { markedProcesses } from "../../src/child-process/marked-processes.ts";
import { processStart } from "../../src/child-process/process-table.ts";
import type { JournalEntry } from "../../src/journal/entry.ts";
import { readHistory } from "../../src/journal/history.ts";

import { readResultFile } from "../../src/run-directory/result-file.ts";
import { JOURNAL_NAME } from "../../src/run-directory/run-file.ts";

/** A run that is to be attacked: which command starts it, which one continues it. */
export interface AttackedRun {
  readonly cwd: string;
  /** The run's own directory, made by `start`. */
  readonly directory: string;
  readonly start: readonly string[];
  readonly resume: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Lets it come to its end: until then it goes as far as some evaluations and no further. */
  readonly letGo: () => void;
  /** The digest that it has when nobody attacks it. */
  readonly digest: string;
}

/** What an attack did to a run. All zero is what is promised. */
export interface Harm {
  /** Evaluations that were in the journal before and are not at the end. */
  readonly lost: number;
  /** Evaluations that were completed and completed again. */
  readonly repeated: number;
  /** 1 when the run ended with another answer, or none. */
  readonly wrong: number;
  /** Processes of the run that still lived when it had ended. */
  readonly leftRunning: number;
}

/** Why an attack cannot be made on this system. */
export interface NotHere {
  readonly skipped: string;
}

const PATIENCE_MS = 120_000;

export interface Launched {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** Starts a command and collects what it says on standard error. */
export function launch(run: AttackedRun, argv: readonly string[]): Launched {
  const [file = "", ...args] = argv;
  const env = { ...process.env, ...run.environment };
  const child = spawn(file, args, { cwd: run.cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; stderr: string }>();
  child.on("close", (code) => resolve({ code, stderr }));
  return { child, ended: promise };
}

export function journalOf({ directory }: AttackedRun): string {
  return join(directory, JOURNAL_NAME);
}

/** Keys of the evaluations that the run's journal has, once for each line that says so. */
export function completedKeys(run: AttackedRun): string[] {
  const path = journalOf(run);
  if (!existsSync(path)) return [];
  const keys: string[] = [];
  readHistory(path, (entry: JournalEntry) => void (entry.type === "completed" && keys.push(entry.key)));
  return keys;
}

/** Waits until something is so; fails after two minutes. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !isSo(); await wait(20)) assert.ok(Date.now() < end, `not yet: ${what}`);
}

/** Waits until the run has that many evaluations in its journal. */
export async function untilCompleted(run: AttackedRun, count: number): Promise<void> {
  await until(`${count} evaluations in ${run.directory}`, () => completedKeys(run).length >= count);
}

/** Compares a run that has ended with what it had when it was attacked. */
export function harmOf(run: AttackedRun, before: readonly string[]): Harm {
  const keys = completedKeys(run);
  const distinct = new Set(keys);
  const { sessions } = readHistory(journalOf(run));
  const alive = sessions.flatMap(({ runToken }) => markedProcesses(runToken));
  return {
    lost: before.filter((key) => !distinct.has(key)).length,
    repeated: keys.length - distinct.size,
    wrong: readResultFile(run.directory)?.digest === run.digest ? 0 : 1,
    leftRunning: alive.length,
  };
}

/** The number, here, of the process that works on the run: also when it runs in a namespace of its own. */
export function coordinatorBelow({ pid }: ChildProcess): number {
  const below = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" }).stdout.trim();
  return below === "" ? (pid ?? 0) : Number(below.split("\n")[0]);
}

export async function untilGone(pid: number): Promise<void> {
  await until(`the end of process ${pid}`, () => processStart(pid) === undefined);
}
