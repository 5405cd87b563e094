import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import type { Comparison, EvaluationResult, EvaluationTask, KeptFile } from "../contract.ts";
import { commitChange } from "../git/candidate-commit.ts";
import { removeBelongings } from "../leftovers/remove-belongings.ts";
import { implementAndReview } from "../review/implement-and-review.ts";
import { candidateRef, layout } from "../run-layout.ts";
import { compare } from "../score/compare.ts";
import { readComparison, ScoreUnreadable } from "../score/said-comparison.ts";
import type { PlaceholderValues } from "../steps/placeholders.ts";
import { clearOwner, makeBranch, makeWorktree } from "./code-place.ts";
import { readKept } from "./kept-file.ts";
import { type Measurement, measure, measuredOf } from "./measure.ts";
import { Pipeline } from "./pipeline.ts";
import type { Site } from "./site.ts";

/** Whose belongings an evaluation's are. */
export function evaluationOwner(evalId: string): string {
  return `e${evalId}`;
}

/** Evaluates an idea. Its worktree and branch stay for the depth's barrier; its temporary files do not. */
export async function evaluateIdea(site: Site, task: EvaluationTask, given: Task): Promise<EvaluationResult> {
  const owner = evaluationOwner(task.evalId);
  await clearOwner(site, owner);
  try {
    return await applyIdea(site, task, given);
  } finally {
    const folders = site.belongings.of(owner).filter(({ thing }) => thing.kind === "folder");
    await removeBelongings(site.belongings, folders, site);
  }
}

/** Applies an idea to a node in a worktree of its own: implement, review, test, sweep, score. */
async function applyIdea(site: Site, task: EvaluationTask, given: Task): Promise<EvaluationResult> {
  const { evalId, parent } = task;
  const { config, work, treeRunId } = site.settings;
  const owner = evaluationOwner(evalId);
  const values = prepareFiles(site, task);
  const worktree = layout.candidateWorktree(evalId);
  await makeWorktree(site, { path: worktree, owner, stays: "work" }, parent.commit, given.signal);
  const logs = layout.evaluationLogs(evalId);
  const pipeline = new Pipeline(
    site,
    {
      owner,
      logs,
      times: layout.stepTimes(evalId),
      temp: layout.evaluationTemp(evalId),
      worktree,
      timeoutMs: work.evalTimeoutMs,
    },
    given,
  );

  const { rounds, diffPath } = await implementAndReview(pipeline, config, values, {
    worktree: join(site.runRoot, worktree),
    base: parent.commit,
    papers: join(site.runRoot, logs),
  });
  // What was reviewed is what is committed: files that tests and sweep leave in the worktree are not part of it.
  const title = `Apply ${task.idea.name}`;
  const commit = await commitChange(join(site.runRoot, worktree), parent.commit, title);
  const round = rounds.length - 1;
  if (config.steps.test !== null) await pipeline.run("test", config.steps.test, { ...values, diff: diffPath }, round);
  const written = `${layout.evaluation(evalId)}/results.csv`;
  const kept = layout.candidateResults(evalId);
  const measurement = await measure(site, pipeline, config.steps.sweep, values, { written, kept, round });
  const against = (baseline: KeptFile) => comparison(site, evalId, pipeline, values, measurement, baseline);
  const parentRelative = await against(parent.baseline);
  const rootRelative = parent.depth === 0 ? parentRelative : await against(task.rootBaseline);

  await makeBranch(site, candidateRef(treeRunId, evalId), commit, owner, "work");
  const { results, metrics, completeness } = measurement;
  const { cost, ends: steps } = pipeline;
  return {
    kind: "evaluation",
    commit,
    results,
    metrics,
    completeness,
    parentRelative,
    rootRelative,
    rounds,
    steps,
    cost,
  };
}

/** Makes the evaluation's folders anew and gives what its steps are told. */
function prepareFiles(site: Site, { evalId, parent, idea, depth }: EvaluationTask): PlaceholderValues {
  const { runRoot, settings, repository } = site;
  const folder = join(runRoot, layout.evaluation(evalId));
  const temp = join(runRoot, layout.evaluationTemp(evalId));
  const output = join(folder, "output");
  for (const old of [temp, output, join(folder, "results.csv")]) rmSync(old, { recursive: true, force: true });
  site.belongings.claim({ kind: "folder", path: temp }, evaluationOwner(evalId));
  mkdirSync(output, { recursive: true });
  const ideaPath = join(folder, "idea.md");
  writeFileSync(ideaPath, readKept(runRoot, idea));
  const baseline = lend(site, evalId, parent.baseline);
  const { sweepConfigLimit } = settings.shape;
  return {
    worktree: join(runRoot, layout.candidateWorktree(evalId)),
    idea: ideaPath,
    ideaName: idea.name,
    baseline,
    evalId,
    node: parent.nodeId,
    depth: String(depth),
    commit: parent.commit,
    repository,
    output,
    ...(sweepConfigLimit !== null && { limit: String(sweepConfigLimit) }),
  };
}

/** Copies a shared file for this evaluation alone: what its steps do to it is nobody else's trouble. */
function lend(site: Site, evalId: string, file: KeptFile): string {
  const path = join(site.runRoot, layout.evaluation(evalId), basename(file.path));
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, readKept(site.runRoot, file));
  return path;
}

async function comparison(
  site: Site,
  evalId: string,
  pipeline: Pipeline,
  values: PlaceholderValues,
  candidate: Measurement,
  baseline: KeptFile,
): Promise<Comparison> {
  const { score } = site.settings.config;
  if (score.kind === "columns") return compare(candidate, measuredOf(site, baseline), score);
  const files = { baseline: lend(site, evalId, baseline), results: lend(site, evalId, candidate.results) };
  try {
    return readComparison(await pipeline.run("score", score.step, { ...values, ...files }));
  } catch (error) {
    if (error instanceof ScoreUnreadable) throw pipeline.failed("ResultsUnusable", error.message, "score");
    throw error;
  }
}
