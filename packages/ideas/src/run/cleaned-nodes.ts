import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import type { TreeId } from "../contract.ts";
import { openRun } from "../evaluate/open-run.ts";
import { makeNode } from "../evaluate/promotion.ts";
import { goneText, hasCommit } from "../git/refs.ts";
import { GitError } from "../git/run-git.ts";
import { layout } from "../run-layout.ts";
import { parseKey } from "../search/task-key.ts";
import { ROOT_ID } from "../search/tree-state.ts";
import type { TreeOnDisk } from "./recorded-tree.ts";

interface GoneNode {
  readonly nodeId: TreeId;
  readonly commit: string;
}

/** Nodes that a run has made and whose worktree somebody has cleaned away. */
export function goneNodes({ runRoot, settings, journal }: TreeOnDisk): readonly GoneNode[] {
  const commits = new Map<TreeId, string>();
  const gone: GoneNode[] = [];
  for (const { key, state } of journal.tasks.values()) {
    const task = parseKey(key);
    if (state !== "completed") continue;
    const outcome = task.kind === "evaluation" ? journal.outcome(key) : undefined;
    if (task.kind === "evaluation" && outcome?.ok === true && outcome.value.kind === "evaluation") {
      commits.set(task.evalId, outcome.value.commit);
    }
    const [nodeId, commit] =
      task.kind === "root"
        ? [ROOT_ID, settings.rootCommit]
        : task.kind === "promotion"
          ? [task.nodeId, commits.get(task.evalId)]
          : [];
    if (nodeId === undefined || commit === undefined) continue;
    if (!existsSync(join(runRoot, layout.nodeWorktree(nodeId), ".git"))) gone.push({ nodeId, commit });
  }
  return gone;
}

/** Nodes whose commit is gone, too, cannot be made again. */
export async function refuseLostNodes(repository: string, gone: readonly GoneNode[]): Promise<void> {
  for (const { nodeId, commit } of gone) {
    if (!(await hasCommit(repository, commit))) throw new UsageError(goneText(nodeId, commit));
  }
}

/** Makes the branch and the worktree of such nodes again, at their commits. */
export async function remakeNodes(tree: TreeOnDisk): Promise<void> {
  const gone = goneNodes(tree);
  if (gone.length === 0) return;
  const run = await openRun(tree.runRoot, tree.settings);
  for (const { nodeId, commit } of gone) {
    try {
      await makeNode(run, nodeId, commit, new AbortController().signal);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      throw new UsageError(
        `node ${nodeId} was cleaned away and cannot be made again at ${commit.slice(0, 12)}: ${error.message}; start a new run`,
      );
    }
  }
}
