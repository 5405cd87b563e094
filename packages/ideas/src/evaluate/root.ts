import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import { setUp } from "../belongings/furnish.ts";
import { clearOwner, makeWorktree } from "../belongings/make-belongings.ts";
import type { RootResult, RootTask } from "../contract.ts";
import { runBranches } from "../git/refs.ts";
import { ResultsError } from "../results/results-table.ts";
import { layout } from "../run-layout.ts";
import { ROOT_ID } from "../search/tree-state.ts";
import { StepFailed } from "../steps/reported-cost.ts";
import { keepResults, type Measurement, measure } from "./measure.ts";
import type { OpenRun } from "./open-run.ts";
import { evaluationOutput, evaluationPlace, openPlace, Pipeline } from "./pipeline.ts";
import { makeNode } from "./promotion.ts";

const OWNER = "root";

/** Makes node 0000 at the commit, with its baseline. */
export async function plantRoot(run: OpenRun, { commit }: RootTask, task: Task): Promise<RootResult> {
  await refuseForeignBranches(run);
  const { baseline } = run.settings.config;
  await makeNode(run, ROOT_ID, commit, task.signal);
  const { results, metrics } = baseline === null ? await measureRoot(run, commit, task) : readBaseline(run, baseline);
  return { kind: "root", baseline: results, metrics };
}

/** Whoever else has branches under this run's name: neither must overwrite the other. */
async function refuseForeignBranches(run: OpenRun): Promise<void> {
  const { treeRunId } = run.settings;
  const ours = new Set(run.belongings.list().flatMap(({ thing }) => (thing.kind === "branch" ? [thing.branch] : [])));
  const foreign = (await runBranches(run.repository, treeRunId)).find((branch) => !ours.has(branch));
  if (foreign === undefined) return;
  const message = `the branch ${foreign} exists and is not of this run: remove it, or give the run another id`;
  throw new StepFailed("StepFailed", message, { step: "worktree" });
}

function readBaseline(run: OpenRun, path: string): Measurement {
  try {
    return keepResults(run, layout.rootBaseline, readFileSync(path), `the baseline ${path}`);
  } catch (error) {
    if (!(error instanceof ResultsError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StepFailed("ResultsUnusable", (error as Error).message, { step: "results" });
  }
}

/** Runs the sweep on the root's code, in a worktree that is removed afterwards. */
async function measureRoot(run: OpenRun, commit: string, task: Task): Promise<Measurement> {
  await clearOwner(run, OWNER);
  const { settings } = run;
  const place = evaluationPlace(settings, ROOT_ID, OWNER);
  const written = `${layout.evaluation(ROOT_ID)}/results.csv`;
  rmSync(join(run.runRoot, written), { force: true });
  const values = openPlace(run, place, { nodeId: ROOT_ID, depth: 0, commit, output: evaluationOutput(ROOT_ID) });
  await makeWorktree(run, place.worktree, commit, { owner: OWNER, stays: "work" }, task.signal);
  const pipeline = new Pipeline(run, place, task);
  const root = { nodeId: ROOT_ID, depth: 0, commit };
  await setUp(run, pipeline, join(run.runRoot, place.worktree), root, values, task);
  const files = { written, kept: layout.rootBaseline, round: 0 };
  const measurement = await measure(
    run,
    pipeline,
    settings.config.steps.sweep,
    { ...values, evalId: ROOT_ID, repeat: "0" },
    files,
  );
  await clearOwner(run, OWNER);
  return measurement;
}
