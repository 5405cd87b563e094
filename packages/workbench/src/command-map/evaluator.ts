import { isUtf8 } from "node:buffer";
import { setTimeout as pause } from "node:timers/promises";
import {
  endMarkedProcesses,
  inheritedMark,
  LiveGroups,
  type Output,
  RUN_MARK,
  runChild,
} from "@coppice/engine/child-process";
import { defineEvaluator } from "@coppice/engine/evaluator";
import { backoffMs } from "@coppice/engine/parallel-map";
import { wordsFor } from "./command-words.ts";
import { CannotStart, hasFailed, hasOneProgram, type ItemRun, type MapContext, type MapItem } from "./item-run.ts";

/** Kept of what an item's command prints: both together fit into one line of a journal. More is a failure. */
const KEPT_BYTES = { stdout: 8 * 1024 * 1024, stderr: 3 * 1024 * 1024 } as const;
/** Longer outputs are kept as bytes, whatever they are. */
const LONGEST_TEXT = 64 * 1024;
const BACKOFF_MS = 100;

const groups = new LiveGroups();
const mark = crypto.randomUUID();

interface Workshop extends MapContext {
  readonly env: NodeJS.ProcessEnv;
}

/** Runs the command for an item, again if it fails and may be tried again. A failure is a value: what it printed counts. */
export default defineEvaluator<MapContext, Workshop, MapItem, ItemRun>({
  setup: (context) => ({ ...context, env: { ...process.env, [RUN_MARK]: inheritedMark(mark) } }),
  evaluate: async (workshop, { item, number }, task) => {
    for (let attempts = 1; ; attempts++) {
      const run = await runOnce(workshop, item, number, attempts, task.signal);
      if (!hasFailed(run) || attempts > workshop.retries) return run;
      await pause(backoffMs(BACKOFF_MS, attempts - 1), undefined, { signal: task.signal });
    }
  },
  teardown: () => {
    endMarkedProcesses(mark);
    groups.close();
  },
});

async function runOnce(
  { words, cwd, env, stdin, timeoutMs }: Workshop,
  item: string,
  number: number,
  attempts: number,
  signal: AbortSignal,
): Promise<ItemRun> {
  const [file = "", ...args] = wordsFor(words, item, number);
  const tooMuch = new AbortController();
  const printed = { stdout: 0, stderr: 0 };
  const {
    ending,
    stdout,
    stderr,
    exitCode,
    signal: by,
  } = await runChild({
    command: { kind: "program", file, args },
    cwd,
    env,
    groups,
    signal: AbortSignal.any([signal, tooMuch.signal]),
    limits: { outputBytes: KEPT_BYTES.stdout },
    untilOutputEnds: true,
    ...(stdin ? { input: Buffer.from(`${item}\n`) } : {}),
    ...(timeoutMs === 0 ? {} : { timeoutMs }),
    hear: (channel, bytes) => {
      printed[channel] += bytes.length;
      if (printed[channel] > KEPT_BYTES[channel]) tooMuch.abort();
    },
  });
  signal.throwIfAborted();
  if (ending.kind === "unstartable" && !ending.tooLong && hasOneProgram(words)) throw new CannotStart(ending.reason);
  const long = (["stdout", "stderr"] as const).find((channel) => printed[channel] > KEPT_BYTES[channel]);
  const problem =
    long !== undefined
      ? `it printed more than ${KEPT_BYTES[long]} bytes to ${long}: let it write to a file`
      : ending.kind === "timeout"
        ? `it took longer than ${timeoutMs} ms`
        : ending.kind === "unstartable"
          ? ending.reason + (ending.tooLong ? ": let the command read its item, with --stdin" : "")
          : undefined;
  const byItself = problem === undefined;
  return {
    exitCode: ending.kind === "unstartable" ? ending.code : byItself ? exitCode : null,
    signal: byItself ? by : null,
    ...(byItself ? {} : { problem }),
    attempts,
    stdout: kept(stdout, KEPT_BYTES.stdout),
    stderr: kept(stderr, KEPT_BYTES.stderr),
  };
}

function kept({ bytes }: Output, most: number): string | Uint8Array {
  const short = bytes.subarray(0, most);
  return short.length <= LONGEST_TEXT && isUtf8(short) ? Buffer.from(short).toString("utf8") : Uint8Array.from(short);
}
