import { setTimeout as wait } from "node:timers/promises";
import type { RunEnd, RunEvent } from "@coppice/engine";
import { type FollowedRun, findRun, type RunFile, RunFollower } from "@coppice/engine/records";
import type { SamplingRecord } from "@coppice/projections/sampling";
import { displayFor } from "../display/display.ts";
import { exitCode } from "../exit-code.ts";
import type { PlaceOptions } from "../options/run-options.ts";
import { notice, printJsonLine } from "../print.ts";
import { resumeCommand } from "../session/resume-command.ts";
import { endingSignals } from "../session/standard-streams.ts";

export interface WatchFlags extends PlaceOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const EVERY_MS = 200;

/** `coppice watch <run>`: shows what its own display shows, in another terminal. Reads only; ending it ends nothing. */
export async function watchRun(named: string, flags: WatchFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  const follower = new RunFollower(directory);
  const { see, close } = flags.json === true ? printed() : await shown(flags.quiet ?? false, follower.file, directory);
  const left = new AbortController();
  const leave = (): void => left.abort();
  for (const signal of endingSignals) process.once(signal, leave);
  let state: FollowedRun = "running";
  let end: RunEnd | undefined;
  while (!left.signal.aborted) {
    state = follower.catchUp((event) => {
      if (event.type === "run-started") end = undefined;
      else if (event.type === "finished") end = event.end;
      see(event);
    });
    if (state !== "running") break;
    await wait(EVERY_MS, undefined, { signal: left.signal }).catch(() => {});
  }
  await close();
  if (left.signal.aborted) {
    process.exitCode = exitCode.interrupted;
  } else if (state === "cut off") {
    notice(`no process is working on it, and it has not ended; continue it with: ${resumeCommand(directory)}`);
    process.exitCode = exitCode.failed;
  } else if (end?.state !== "done") {
    notice(`continue it with: ${resumeCommand(directory)}`);
    process.exitCode = exitCode.failed;
  }
}

interface Watcher {
  readonly see: (event: RunEvent) => void;
  readonly close: () => Promise<void>;
}

async function shown(quiet: boolean, file: RunFile, directory: string): Promise<Watcher> {
  const open = await displayFor({ terminal: process.stderr, quiet, environment: process.env });
  const display = open();
  const retell = await retellerOf(file, directory);
  return { see: (event) => display.see(retell?.(event) ?? event), close: async () => display.close() };
}

/** What names tasks as people know them: a tree its ideas, a search by samples its trials. */
async function retellerOf({ tool, options }: RunFile, directory: string) {
  if (tool === "tree") return (await import("@coppice/ideas/report")).retellerOf(directory);
  if (tool !== "sampling") return undefined;
  const { retoldTrials } = await import("@coppice/projections/sampling");
  // Cast: that tool has written it.
  return (event: RunEvent) => retoldTrials(event, options as SamplingRecord);
}

function printed(): Watcher {
  return { see: (event) => printJsonLine(event), close: async () => {} };
}
