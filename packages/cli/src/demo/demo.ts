import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  formatCount,
  formatMeasured,
  JOURNAL_NAME,
  listRunIds,
  type RunOption,
  readHistory,
  readRunFile,
} from "@coppice/engine";
import { exitCode } from "../exit-code.ts";
import type { PlaceOptions } from "../options/work-options.ts";
import { loadModule } from "../run/load-module.ts";
import { moduleRecord } from "../run/module-record.ts";
import { planModule } from "../run/plan-module.ts";
import { printEnd } from "../session/print-end.ts";
import { printJson } from "../session/print-json.ts";
import { tableText } from "../session/print-table.ts";
import { type EndedSession, resumeToEnd, startToEnd } from "../session/run-to-end.ts";
import type { PlannedRun } from "../tools/planned-run.ts";
import { killHalfWay } from "./kill-half-way.ts";
import { usualWorkers } from "./usual-workers.ts";

export interface DemoFlags extends PlaceOptions {
  readonly workers?: number;
  readonly seed: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** One of the demonstration's runs, as its table shows it. */
interface Shown {
  readonly id: string;
  readonly what: string;
  readonly workers: number;
  readonly ms: number;
  readonly evaluated: number;
  readonly digest: string;
}

const MODULE = fileURLToPath(new URL("./run.ts", import.meta.url));

/** Runs the same search alone, in parallel, and killed and resumed, and compares the digests. */
export async function runDemo(flags: DemoFlags): Promise<void> {
  const { seed, runDir, json } = flags;
  const workers = flags.workers ?? usualWorkers();
  const { run, path } = await loadModule(MODULE);
  const options = run.options ?? {};
  const plan = () => planModule({ run, path, url: new URL("./run.ts", import.meta.url) }, { seed, options });
  const evaluations = Number(options.population) * Number(options.generations);
  const say = (text: string) => {
    if (json !== true) process.stdout.write(`${text}\n`);
  };
  const name = freeName(runDir);
  const shown: Shown[] = [];

  /** Runs, times and remembers; false when the user interrupted it. */
  const show = async (
    what: string,
    count: number,
    session: (planned: PlannedRun) => Promise<EndedSession<unknown>>,
  ) => {
    const planned = await plan();
    const began = performance.now();
    const ended = await session(planned);
    const { id, end, resumed } = ended;
    if (end.state !== "done") {
      printEnd(ended, { json });
      return undefined;
    }
    const evaluated = end.tells - (resumed?.reused ?? 0);
    shown.push({ id, what, workers: count, ms: performance.now() - began, evaluated, digest: end.digest });
    return planned.describe?.(end.result) ?? "";
  };
  const start = (id: string, count: number) => (planned: PlannedRun) =>
    startToEnd(planned, record(path, options), { ...flags, id, workers: count, pool: "threads" });

  say(
    `Two heaters are hidden under a plate; all there is to go by is nine thermometers. ${formatCount(evaluations)} simulations find them.\n`,
  );
  say("1. One worker.");
  const picture = await show("one worker", 1, start(`${name}-alone`, 1));
  if (picture === undefined) return;
  say(`\n2. The same search with ${workers} workers.`);
  if ((await show("parallel", workers, start(`${name}-parallel`, workers))) === undefined) return;
  say(`\n3. Again, on ${workers} worker processes, and killed (SIGKILL) half way. Then resumed.`);
  const directory = join(runDir, `${name}-killed`);
  await killHalfWay(
    ["run", MODULE, "--id", `${name}-killed`, "--run-dir", runDir, "--seed", String(seed)].concat([
      "--pool",
      "processes",
      "--workers",
      String(workers),
      "--quiet",
    ]),
    join(directory, JOURNAL_NAME),
    evaluations / 2,
  );
  const { successes } = readHistory(join(directory, JOURNAL_NAME));
  say(`   killed with ${formatCount(successes.size)} evaluations in its journal`);
  const resumed = await show("killed, resumed", workers, (planned) =>
    resumeToEnd(planned, readRunFile(directory), directory, { ...flags, workers }),
  );
  if (resumed === undefined) return;

  const same = shown.every(({ digest }) => digest === shown[0].digest);
  if (json === true) printJson({ same, speedUp: shown[0].ms / shown[1].ms, runs: shown });
  else say(`\n${picture}\n\n${summary(shown, same, runDir)}`);
  if (!same) process.exitCode = exitCode.failed;
}

function record(path: string, options: Readonly<Record<string, RunOption>>) {
  return (directory: string) => ({ tool: "run", options: moduleRecord(path, directory, options) });
}

/** `demo-1`, or the first number that no run has yet. */
function freeName(runs: string): string {
  const ids = listRunIds(runs);
  for (let number = 1; ; number++) {
    if (!ids.some((id) => id.startsWith(`demo-${number}-`))) return `demo-${number}`;
  }
}

function summary(shown: readonly Shown[], same: boolean, runDir: string): string {
  const rows = shown.map(({ id, what, workers, ms, evaluated, digest }, i) => [
    id,
    what,
    String(workers),
    formatMeasured(ms),
    i === 1 ? `${(shown[0].ms / ms).toFixed(2)}×` : "",
    formatCount(evaluated),
    `${digest.slice(0, 16)}…`,
  ]);
  const columns = [
    { title: "run" },
    { title: "" },
    { title: "workers", align: "right" },
    { title: "time", align: "right" },
    { title: "speed-up", align: "right" },
    { title: "evaluated", align: "right" },
    { title: "digest" },
  ] as const;
  const verdict = same
    ? `The same digest ${shown.length} times: the answer does not depend on workers, timing or being killed.`
    : "The digests differ. That must not happen: please report it, with the runs' directories.";
  const place = runDir === join(".coppice", "runs") ? "" : ` --run-dir ${runDir}`;
  const [alone, , killed] = shown.map(({ id }) => id);
  return `${tableText(columns, rows)}\n\n${verdict}\nLook closer: coppice runs${place} · coppice show ${killed}${place} · coppice diff ${alone} ${killed}${place}`;
}
