import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import type { RootResult, RootTask } from "../contract.ts";
import { runBranches } from "../git/refs.ts";
import { ROOT_ID } from "../plan/tree-id.ts";
import { ResultsError } from "../results/results-table.ts";
import { layout } from "../run-layout.ts";
import { StepFailed } from "../steps/step-failed.ts";
import { clearOwner, makeWorktree } from "./code-place.ts";
import { keepResults, type Measurement, measure } from "./measure.ts";
import { Pipeline } from "./pipeline.ts";
import { makeNode } from "./promotion.ts";
import type { Site } from "./site.ts";

const OWNER = "root";

/** Makes node 0000 at the commit, with its baseline. */
export async function plantRoot(site: Site, { commit }: RootTask, task: Task): Promise<RootResult> {
  await refuseForeignBranches(site);
  const { baseline } = site.settings.config;
  const { results, metrics } = baseline === null ? await measureRoot(site, commit, task) : readBaseline(site, baseline);
  await makeNode(site, ROOT_ID, commit, task.signal);
  return { kind: "root", baseline: results, metrics };
}

/** Whoever else has branches under this run's name: neither must overwrite the other. */
async function refuseForeignBranches(site: Site): Promise<void> {
  const { treeRunId } = site.settings;
  const ours = new Set(site.belongings.list().flatMap(({ thing }) => (thing.kind === "branch" ? [thing.branch] : [])));
  const foreign = (await runBranches(site.repository, treeRunId)).find((branch) => !ours.has(branch));
  if (foreign === undefined) return;
  const message = `the branch ${foreign} exists and is not of this run: remove it, or give the run another id`;
  throw new StepFailed("StepFailed", message, { step: "worktree" });
}

function readBaseline(site: Site, path: string): Measurement {
  try {
    return keepResults(site, layout.rootBaseline, readFileSync(path), `the baseline ${path}`);
  } catch (error) {
    if (!(error instanceof ResultsError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StepFailed("ResultsUnusable", (error as Error).message, { step: "results" });
  }
}

/** Runs the sweep on the root's code, in a worktree that is removed afterwards. */
async function measureRoot(site: Site, commit: string, task: Task): Promise<Measurement> {
  await clearOwner(site, OWNER);
  const { runRoot, repository, settings } = site;
  const { sweepConfigLimit } = settings.shape;
  const worktree = layout.candidateWorktree(ROOT_ID);
  const temp = layout.evaluationTemp(ROOT_ID);
  const written = `${layout.evaluation(ROOT_ID)}/results.csv`;
  const output = join(runRoot, layout.evaluation(ROOT_ID), "output");
  rmSync(join(runRoot, written), { force: true });
  mkdirSync(output, { recursive: true });
  site.belongings.claim({ kind: "folder", path: join(runRoot, temp) }, OWNER);
  await makeWorktree(site, { path: worktree, owner: OWNER, stays: "work" }, commit, task.signal);
  const logs = layout.evaluationLogs(ROOT_ID);
  const times = layout.stepTimes(ROOT_ID);
  const { evalTimeoutMs: timeoutMs } = settings.work;
  const pipeline = new Pipeline(site, { owner: OWNER, logs, times, temp, worktree, timeoutMs }, task);
  const values = {
    worktree: join(runRoot, worktree),
    node: ROOT_ID,
    evalId: ROOT_ID,
    depth: "0",
    commit,
    repository,
    output,
    ...(sweepConfigLimit !== null && { limit: String(sweepConfigLimit) }),
  };
  const files = { written, kept: layout.rootBaseline, round: 0 };
  const measurement = await measure(site, pipeline, settings.config.steps.sweep, values, files);
  await clearOwner(site, OWNER);
  return measurement;
}
