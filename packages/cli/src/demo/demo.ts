import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatCount } from "@coppice/engine/display";
import { makeDirectory } from "@coppice/engine/files";
import { JOURNAL_NAME, readHistory, readRunFile, runIds } from "@coppice/engine/records";
import {
  type EndedSession,
  type LoadedModule,
  loadModule,
  type PreparedRun,
  prepareModule,
} from "@coppice/engine/session";
import { exitCode } from "../exit-code.ts";
import type { PlaceOptions } from "../options/run-options.ts";
import { print, printJson } from "../print.ts";
import { newRun, runLive } from "../session/live-run.ts";
import { printEnd } from "../session/print-end.ts";
import { rebuild } from "../tools/rebuild.ts";
import { type DemoRun, demoText } from "./demo-text.ts";
import { killHalfWay } from "./kill-half-way.ts";

export interface DemoFlags extends PlaceOptions {
  readonly workers?: number;
  readonly seed: number;
  readonly generations: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const MODULE = fileURLToPath(import.meta.resolve("@coppice/search/heated-plate"));

/** Runs the same search alone, in parallel, and killed and resumed, and compares the digests. */
export async function runDemo(flags: DemoFlags): Promise<void> {
  const { runDir, json } = flags;
  const workers = flags.workers ?? usualWorkers();
  const module = await loadModule(MODULE);
  const evaluations = Number(module.run.options?.population) * flags.generations;
  const name = freeName(runDir);
  makeDirectory(runDir); // before a word is said of what could not be done
  const say = (text: string) => {
    if (json !== true) print(`${text}\n`);
  };

  say(`Two heaters are hidden under a plate; all there is to go by is sixteen thermometers.`);
  say(`${formatCount(evaluations)} simulations find them.\n\n1. One worker.`);
  const alone = await timed("one worker", 1, await prepare(module, flags), startAs(`${name}-alone`, 1, flags));
  if (alone === undefined) return;
  say(`\n2. The same search with ${workers} workers.`);
  const start = startAs(`${name}-parallel`, workers, flags);
  const parallel = await timed("parallel", workers, await prepare(module, flags), start);
  if (parallel === undefined) return;

  say(`\n3. Again, on ${workers} worker processes, and killed (SIGKILL) halfway.`);
  const directory = join(runDir, `${name}-killed`);
  const journal = join(directory, JOURNAL_NAME);
  await killHalfWay(typedRun(`${name}-killed`, workers, flags), journal, evaluations / 2);
  say(`   Killed with ${formatCount(readHistory(journal).successes.size)} evaluations in its journal. Now resumed.`);
  const file = readRunFile(directory);
  const resumed = await timed("killed, resumed", workers, await rebuild(file, directory), (prepared) =>
    runLive(prepared, { resume: directory }, { ...flags, workers }),
  );
  if (resumed === undefined) return;

  const runs = [alone, parallel, resumed];
  const same = runs.every(({ digest }) => digest === alone.digest);
  if (json === true) printJson({ same, speedUp: alone.ms / parallel.ms, runs: runs.map(({ picture, ...run }) => run) });
  else say(`\n${alone.picture}\n\n${demoText(runs, same, runDir)}`);
  if (!same) process.exitCode = exitCode.failed;
}

function prepare(module: LoadedModule, { seed, generations }: DemoFlags): Promise<PreparedRun> {
  return prepareModule(module, { seed, options: { ...module.run.options, generations } });
}

type Session = (prepared: PreparedRun) => Promise<EndedSession<unknown>>;

function startAs(id: string, workers: number, flags: DemoFlags): Session {
  const options = { ...flags, id, workers, pool: "threads" as const };
  return (prepared) => runLive(prepared, newRun(options), options);
}

/** The run that is going to be killed, as a user would type it. */
function typedRun(id: string, workers: number, { seed, runDir, generations }: DemoFlags): string[] {
  const place = ["--id", id, "--run-dir", runDir, "--pool", "processes", "--workers", String(workers)];
  return ["run", MODULE, ...place, "--seed", String(seed), "--option", `generations=${generations}`, "--quiet"];
}

/** Follows a session to its end and takes the time; undefined when the user interrupted it, which has been said then. */
async function timed(
  what: string,
  workers: number,
  prepared: PreparedRun,
  session: Session,
): Promise<(DemoRun & { readonly picture: string }) | undefined> {
  const began = performance.now();
  const ended = await session(prepared);
  const { id, end, resumed } = ended;
  if (end.state !== "done") {
    printEnd(prepared, ended, false);
    return undefined;
  }
  const ms = performance.now() - began;
  const evaluated = end.tells - (resumed?.reused ?? 0);
  return {
    id,
    what,
    workers,
    ms,
    evaluated,
    digest: end.digest,
    picture: prepared.describe?.(end.result, ended.directory) ?? "",
  };
}

/** `demo-1`, or the first number that no run has yet. */
function freeName(runs: string): string {
  const ids = runIds(runs);
  for (let number = 1; ; number++) {
    if (!ids.some((id) => id.startsWith(`demo-${number}-`))) return `demo-${number}`;
  }
}

/** One per core, but at least two, or there would be nothing to compare; more than a dozen would wait for each other. */
function usualWorkers(): number {
  return Math.min(12, Math.max(2, availableParallelism()));
}
