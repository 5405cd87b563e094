import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import type { TreeNode } from "../contract.ts";
import type { OpenRun } from "../evaluate/open-run.ts";
import { openPlace, Pipeline, type PipelinePlace } from "../evaluate/pipeline.ts";
import { layout } from "../run-layout.ts";
import type { PlaceholderValues } from "../steps/placeholders.ts";
import { StepFailed } from "../steps/reported-cost.ts";
import { removeBelongings } from "./remove-belongings.ts";

type SetUpNode = Pick<TreeNode, "nodeId" | "depth" | "commit">;

/** Everything that is a link in a worktree and no part of the code: it is never committed. */
export function linkedPaths({ settings: { config } }: OpenRun): readonly string[] {
  return [...config.link, ...config.share];
}

/** Links the git-ignored places of the user's checkout into a worktree. */
export function linkIgnored({ repository, settings: { config } }: OpenRun, worktree: string): void {
  for (const path of config.link) placeLink(join(repository, path), worktree, path);
}

/** Makes a candidate's worktree fit for its steps: with what its node's set-up made, or by a set-up of its own. */
export async function setUp(
  run: OpenRun,
  pipeline: Pipeline,
  worktree: string,
  node: SetUpNode,
  values: PlaceholderValues,
  task: Task,
): Promise<void> {
  const { steps, share } = run.settings.config;
  if (steps.setup === null) return;
  if (share.length === 0) {
    await pipeline.run("setup", steps.setup, values);
    return;
  }
  await setUpNode(run, node, task);
  const made = join(run.runRoot, layout.nodeWorktree(node.nodeId));
  for (const path of share) {
    if (!existsSync(join(made, path))) {
      const message = `setup ended well but made no ${path}, which is to be shared`;
      throw new StepFailed("StepFailed", message, { step: "setup" });
    }
    placeLink(join(made, path), worktree, path);
  }
}

/** Runs the set-up in a node's own worktree, once; `held`: by one who has the node's lock already. */
export async function setUpNode(
  run: OpenRun,
  node: SetUpNode,
  task: Task,
  lock: "held" | "free" = "free",
): Promise<void> {
  const { setup } = run.settings.config.steps;
  const { nodeId } = node;
  const done = join(run.runRoot, layout.nodeSetUp(nodeId));
  if (setup === null || existsSync(done)) return;
  const work = async () => {
    if (existsSync(done)) return;
    const place: PipelinePlace = {
      owner: `s${nodeId}`,
      logs: layout.nodeLogs(nodeId),
      times: `${layout.nodeLogs(nodeId)}/steps.ndjson`,
      temp: `${layout.nodeLogs(nodeId)}/set-up-tmp`,
      worktree: layout.nodeWorktree(nodeId),
      timeoutMs: run.settings.work.evalTimeoutMs,
    };
    const values = openPlace(run, place, { ...node, output: `${layout.nodeLogs(nodeId)}/output` });
    try {
      await new Pipeline(run, place, task).run("setup", setup, values);
    } finally {
      await removeBelongings(run, run.belongings.of(place.owner));
    }
    writeFileSync(done, "");
  };
  // Whoever comes first sets it up; the others, in whatever process they are, wait and find it done.
  await (lock === "held" ? work() : run.setUpLock(nodeId).hold(work, task.signal));
}

/** A worktree that is made anew is to be set up anew. */
export function forgetSetUp({ runRoot }: OpenRun, nodeId: string): void {
  rmSync(join(runRoot, layout.nodeSetUp(nodeId)), { force: true });
}

/** Puts a link at a path of a worktree; never beyond another link, where it would replace somebody else's file. */
function placeLink(target: string, worktree: string, path: string): void {
  const folders = path.split("/").slice(0, -1);
  const above = folders.map((_, index) => folders.slice(0, index + 1).join("/"));
  const link = above.find((each) => lstatSync(join(worktree, each), { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined) {
    const message = `${path} cannot be linked: ${link} is a symbolic link, so what is in it is not the worktree's own`;
    throw new StepFailed("StepFailed", message, { step: "worktree" });
  }
  const at = join(worktree, path);
  mkdirSync(dirname(at), { recursive: true });
  rmSync(at, { recursive: true, force: true });
  symlinkSync(target, at);
}
