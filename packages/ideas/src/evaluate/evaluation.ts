import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import { linkedPaths, setUp } from "../belongings/furnish.ts";
import { clearOwner, makeBranch, makeWorktree } from "../belongings/make-belongings.ts";
import { removeBelongings } from "../belongings/remove-belongings.ts";
import type { Comparison, EvaluationResult, EvaluationTask, KeptFile } from "../contract.ts";
import { commitChange } from "../git/candidate-commit.ts";
import { candidateRef, layout } from "../run-layout.ts";
import { compare } from "../score/compare.ts";
import { readComparison, ScoreUnreadable } from "../score/said-comparison.ts";
import type { PlaceholderValues } from "../steps/placeholders.ts";
import { implementAndReview } from "./implement-and-review.ts";
import { readKept } from "./kept-file.ts";
import { type Measurement, measure, measuredOf } from "./measure.ts";
import type { OpenRun } from "./open-run.ts";
import { evaluationOutput, evaluationPlace, openPlace, Pipeline, type PipelinePlace } from "./pipeline.ts";

/** Whose belongings an evaluation's are. */
export function evaluationOwner(evalId: string): string {
  return `e${evalId}`;
}

/** Evaluates an idea. Its worktree and branch stay for the depth's barrier; its temporary files do not. */
export async function evaluateIdea(run: OpenRun, task: EvaluationTask, given: Task): Promise<EvaluationResult> {
  const owner = evaluationOwner(task.evalId);
  await clearOwner(run, owner);
  const place = evaluationPlace(run.settings, task.evalId, owner);
  const values = prepareFiles(run, place, task);
  const pipeline = new Pipeline(run, place, given);
  try {
    return await applyIdea(run, task, place, values, pipeline, given);
  } catch (error) {
    throw pipeline.charged(error);
  } finally {
    const folders = run.belongings.of(owner).filter(({ thing }) => thing.kind === "folder");
    await removeBelongings(run, folders);
  }
}

/** Applies an idea to a node in a worktree of its own: implement, review, test, sweep, score. */
async function applyIdea(
  run: OpenRun,
  task: EvaluationTask,
  place: PipelinePlace,
  values: PlaceholderValues,
  pipeline: Pipeline,
  given: Task,
): Promise<EvaluationResult> {
  const { evalId, parent } = task;
  const { config, treeRunId } = run.settings;
  const { owner } = place;
  const { logs } = place;
  await makeWorktree(run, place.worktree, parent.commit, { owner, stays: "work" }, given.signal);
  const worktree = join(run.runRoot, place.worktree);
  await setUp(run, pipeline, worktree, parent, values, given);

  const papers = join(run.runRoot, logs);
  const where = { worktree, base: parent.commit, papers, linked: linkedPaths(run) };
  const { rounds, diffPath } = await implementAndReview(pipeline, config, values, where);
  // What was reviewed is what is committed: files that tests and sweep leave in the worktree are not part of it.
  const commit = await commitChange(worktree, parent.commit, `Apply ${task.idea.name}`);
  // At once: what is on no branch is taken away by a `git gc --prune=now` of the user's.
  await makeBranch(run, candidateRef(treeRunId, evalId), commit, { owner, stays: "work" });
  const round = rounds.length - 1;
  if (config.steps.test !== null) await pipeline.run("test", config.steps.test, { ...values, diff: diffPath }, round);
  const written = `${layout.evaluation(evalId)}/results.csv`;
  const kept = layout.candidateResults(evalId);
  const measurement = await measure(run, pipeline, config.steps.sweep, values, { written, kept, round });
  const against = comparedWith(run, evalId, pipeline, values, measurement);
  const parentRelative = await against(parent.baseline);
  const rootRelative = parent.depth === 0 ? parentRelative : await against(task.rootBaseline);

  const { results, metrics, completeness } = measurement;
  const { spent, ends: steps } = pipeline;
  const compared = { parentRelative, rootRelative };
  return { kind: "evaluation", commit, results, metrics, completeness, ...compared, rounds, steps, ...spent };
}

/** Makes the evaluation's folders anew; returns what its steps are told. */
function prepareFiles(
  run: OpenRun,
  place: PipelinePlace,
  { evalId, parent, idea, depth }: EvaluationTask,
): PlaceholderValues {
  const folder = join(run.runRoot, layout.evaluation(evalId));
  const { temp } = place;
  const output = evaluationOutput(evalId);
  const old = [join(run.runRoot, temp), join(run.runRoot, output), join(folder, "results.csv")];
  for (const path of old) rmSync(path, { recursive: true, force: true });
  const values = openPlace(run, place, { nodeId: parent.nodeId, depth, commit: parent.commit, output });
  const ideaPath = join(folder, "idea.md");
  writeFileSync(ideaPath, readKept(run.runRoot, idea));
  return {
    ...values,
    evalId,
    repeat: "0",
    idea: ideaPath,
    ideaName: idea.name,
    baseline: lend(run, evalId, parent.baseline),
  };
}

/** Copies a shared file for this evaluation alone: what its steps do to it is nobody else's trouble. */
function lend(run: OpenRun, evalId: string, file: KeptFile): string {
  const path = join(run.runRoot, layout.evaluation(evalId), basename(file.path));
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, readKept(run.runRoot, file));
  return path;
}

/** Compares what an evaluation measured with a baseline: by columns, or by asking the score command. */
export function comparedWith(
  run: OpenRun,
  evalId: string,
  pipeline: Pipeline,
  values: PlaceholderValues,
  candidate: Measurement,
): (baseline: KeptFile) => Promise<Comparison> {
  const { score } = run.settings.config;
  return async (baseline) => {
    if (score.kind === "columns") return compare(candidate, measuredOf(run, baseline), score);
    const files = { baseline: lend(run, evalId, baseline), results: lend(run, evalId, candidate.results) };
    try {
      return readComparison(await pipeline.run("score", score.step, { ...values, ...files }));
    } catch (error) {
      if (error instanceof ScoreUnreadable) throw pipeline.failed("ResultsUnusable", error.message, "score");
      throw error;
    }
  };
}
