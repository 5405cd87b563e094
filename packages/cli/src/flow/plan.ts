import {
  mostUsefulWorkers,
  type PlanningRecord,
  planningNotices,
  planningRecord,
  planningRun,
  planningWorkers,
  type ReferenceRecord,
  referenceRecord,
  referenceRun,
} from "@coppice/airspace";
import { poolKind } from "@coppice/engine/pools";
import type { RunFile } from "@coppice/engine/records";
import type { PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { checkOutput, checkPage } from "../options/output-file.ts";
import { poolOfWorkers } from "../options/pool-choice.ts";
import { type Source, strongest } from "../options/two-names.ts";
import { notice } from "../print.ts";
import { newRun, runAndPrint } from "../session/live-run.ts";
import type { PlanFlags } from "./register-plan.ts";

/** `coppice flow plan`: a run whose result is a plan. */
export async function planDay(flags: PlanFlags, sourceOf: (option: string) => Source): Promise<void> {
  if (flags.semantics === "reference") return planByReference(flags, sourceOf);
  if (flags.discovery !== undefined) throw new UsageError("--discovery: needs --semantics reference");
  const record = planningRecord(flags);
  checkOutput("--out", flags.out, flags.instance, flags.flows, flags.weights, flags.report);
  checkPage("--report", flags.report, flags.instance, flags.flows, flags.weights);
  const { rateWorkers, ...work } = workOf(flags, record, sourceOf);
  const { seed: _, ...options } = { ...flags, ...work };
  const run = planningRun(record, { rateWorkers });
  for (const line of planningNotices(record)) notice(line);
  await runAndPrint(run, newRun(options), options);
}

/** By the published objective: most of what shapes the other searches means nothing there. */
async function planByReference(flags: PlanFlags, sourceOf: (option: string) => Source): Promise<void> {
  const { instance, discovery, seed: _, ...options } = flags;
  const typed = ownOptions.find((name) => sourceOf(name) === "cli");
  if (typed !== undefined) {
    throw new UsageError(
      `--${typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: not with --semantics reference, which finds the published rates of every hotspot`,
    );
  }
  checkOutput("--out", flags.out, instance, discovery);
  const record = referenceRecord(flags);
  const run = referenceRun(record);
  for (const line of planningNotices(record)) notice(line);
  await runAndPrint(run, newRun(options), options);
}

/** Options of the network's planner that mean nothing to the published one. */
const ownOptions = [
  ...["flows", "lambda", "mu", "weights", "report", "mode", "policy", "rates", "roots", "walkers", "rounds"],
  ...["robust", "front", "without", "evaluations", "parallelMode", "searchTime", "timeSplit", "outerMaxRuns"],
  ...["outerMaxTime", "priors", "maxActions", "dwellingFactor", "maxRemovals", "reversalBan", "hotspots", "stop"],
  ...["exploration", "widening", "rootNoise", "phi", "back", "hotspotTemperature", "flowTemperature"],
  ...["otherTemperature", "asyncCommits", "speculate", "commitEvaluations", "numWorkersRoot", "numWorkersRf"],
  ...["parallelBackend", "seed"],
];

/** Prepares a recorded search for a plan again, so that it can be resumed or verified. */
export async function rebuildPlan(file: RunFile): Promise<PreparedRun> {
  // The environment of the option that a resumed run cannot be given; what is not a count means none.
  const asked = Number(process.env.COPPICE_NUM_WORKERS_RF ?? 0);
  const rateWorkers = Number.isInteger(asked) && asked > 0 ? asked : 0;
  // Casts: the record was written by planDay, and the day it leads to is compared with that of the run; what describes
  // the result is given no other.
  const record = file.options as PlanningRecord | ReferenceRecord;
  return ("semantics" in record ? referenceRun(record) : planningRun(record, { rateWorkers })) as PreparedRun;
}

/** How the search is worked on; says where less is given than was asked for. */
function workOf(flags: PlanFlags, record: PlanningRecord, sourceOf: (option: string) => Source) {
  const workers = strongest<number | "auto">({
    own: { flag: "--num-workers-root", value: flags.numWorkersRoot, source: sourceOf("numWorkersRoot") },
    common: { flag: "--workers", value: flags.workers, source: sourceOf("workers") },
  });
  const backend = flags.parallelBackend === undefined ? undefined : poolOfWorkers(flags.parallelBackend);
  const pool = strongest({
    own: { flag: "--parallel-backend", value: backend, source: sourceOf("parallelBackend") },
    common: { flag: "--pool", value: flags.pool, source: sourceOf("pool") },
  });
  const asked = workers === flags.numWorkersRoot || workers === "auto" ? flags.numWorkersRoot : undefined;
  const granted = planningWorkers({
    workers: asked,
    together: record.population !== undefined,
    mostUseful: mostUsefulWorkers(record),
    rateWorkers: flags.numWorkersRf,
  });
  const oneAtATime = pool !== undefined && poolKind(pool).oneAtATime === true;
  for (const line of granted.notices) notice(line);
  return {
    rateWorkers: granted.rateWorkers,
    // What every command calls --workers is taken at its word.
    workers: typeof workers === "number" && workers !== asked ? workers : oneAtATime ? 1 : granted.workers,
    ...(pool === undefined ? {} : { pool }),
  };
}
