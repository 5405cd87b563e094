import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import { setUp, setUpNode } from "../belongings/furnish.ts";
import { makeWorktree } from "../belongings/make-belongings.ts";
import { removeBelongings } from "../belongings/remove-belongings.ts";
import type { RepeatResult, RepeatTask } from "../contract.ts";
import { layout } from "../run-layout.ts";
import { comparedWith, evaluationOwner } from "./evaluation.ts";
import { measure } from "./measure.ts";
import type { OpenRun } from "./open-run.ts";
import { evaluationOutput, evaluationPlace, openPlace, Pipeline, type PipelinePlace } from "./pipeline.ts";

/** Measures a candidate, or the node it is compared with, once more: in its own worktree, as the first time. */
export function repeatMeasurement(run: OpenRun, task: RepeatTask, given: Task): Promise<RepeatResult> {
  const { evalId, parent } = task;
  // Two repeats of one thing share its worktree: one at a time.
  return run.setUpLock(evalId === null ? parent.nodeId : `e${evalId}`).hold(async () => {
    const place = placeOf(run, task);
    try {
      return await measureAgain(run, task, place, given);
    } finally {
      await removeBelongings(
        run,
        run.belongings.of(place.owner).filter(({ thing }) => thing.kind === "folder"),
      );
    }
  }, given.signal);
}

function placeOf({ settings }: OpenRun, { evalId, parent }: RepeatTask): PipelinePlace {
  if (evalId !== null) return evaluationPlace(settings, evalId, evaluationOwner(evalId));
  const logs = layout.nodeLogs(parent.nodeId);
  return {
    owner: `b${parent.nodeId}`,
    logs,
    times: `${logs}/steps.ndjson`,
    temp: `${logs}/tmp`,
    worktree: layout.nodeWorktree(parent.nodeId),
    timeoutMs: settings.work.evalTimeoutMs,
  };
}

async function measureAgain(run: OpenRun, task: RepeatTask, place: PipelinePlace, given: Task): Promise<RepeatResult> {
  const { evalId, parent, commit, repeat, depth } = task;
  const output = evalId === null ? `${place.logs}/output` : evaluationOutput(evalId);
  const opened = openPlace(run, place, { nodeId: parent.nodeId, depth, commit: parent.commit, output });
  const values = { ...opened, evalId: evalId ?? "0000", repeat: String(repeat) };
  const worktree = join(run.runRoot, place.worktree);
  const pipeline = new Pipeline(run, place, given);
  if (evalId === null) await setUpNode(run, parent, given, "held");
  else if (!existsSync(join(worktree, ".git"))) {
    // Cleaned away before the depth was judged.
    await makeWorktree(run, place.worktree, commit, { owner: place.owner, stays: "work" }, given.signal);
    await setUp(run, pipeline, worktree, parent, opened, given);
  }
  const written = `${evalId === null ? place.logs : layout.evaluation(evalId)}/results-${repeat}.csv`;
  rmSync(join(run.runRoot, written), { force: true });
  const kept = layout.repeatResults(evalId === null ? `node_${parent.nodeId}` : `eval_${evalId}`, repeat);
  const measurement = await measure(run, pipeline, run.settings.config.steps.sweep, values, {
    written,
    kept,
    round: 0,
  });
  const compared = await comparedAgain();
  return { kind: "repeat", results: measurement.results, metrics: measurement.metrics, compared, ...pipeline.spent };

  async function comparedAgain(): Promise<RepeatResult["compared"]> {
    if (evalId === null || run.settings.config.score.kind === "columns") return null;
    const against = comparedWith(run, evalId, pipeline, values, measurement);
    const parentRelative = await against(parent.baseline);
    return { parentRelative, rootRelative: depth === 0 ? parentRelative : await against(task.rootBaseline) };
  }
}
