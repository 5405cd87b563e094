import { join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { goneText, hasCommit } from "../git/refs.ts";
import { GitError, runGit } from "../git/run-git.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { RecordedTree } from "../run/recorded-tree.ts";
import { ROOT_ID } from "../search/tree-state.ts";

/** What a node changes in the repository its tree grew from. */
export interface NodeChange {
  readonly node: string;
  readonly branch: string;
  /** Why it was promoted. */
  readonly because: string | null;
  /** One line per file: how many lines it gains and loses. */
  readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
  /** The whole change as a patch, in the run's directory. */
  readonly patch: string;
  readonly applied: boolean;
}

/**
 * Puts a node's change, from the commit that the tree began with, into the user's working tree and index; nothing is
 * committed. All of it or nothing: files that were changed since, or are not as git knows them, refuse it. Without
 * `write` only the patch is made.
 */
export async function applyNode(
  tree: RecordedTree,
  manifest: Manifest,
  wishes: { readonly node?: string | undefined; readonly write: boolean },
): Promise<NodeChange> {
  const { runRoot, settings } = tree;
  const { rootCommit, config } = settings;
  const { write } = wishes;
  const { node, commit, branch } = await promotedNode(tree, manifest, wishes.node);
  const { repository } = config;
  const patch = join(runRoot, `node-${node}.patch`);
  const range = [rootCommit, commit];
  const plain = ["--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/"];
  const files = numbers(await runGit(repository, ["diff", "--numstat", "-z", ...plain, ...range]));
  await runGit(repository, ["diff", "--binary", "--full-index", "--no-color", `--output=${patch}`, ...plain, ...range]);
  if (write) {
    try {
      await runGit(repository, ["apply", "--index", "--whitespace=nowarn", patch]);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const isThere = await runGit(repository, ["apply", "--index", "--reverse", "--check", patch]).catch(
        () => undefined,
      );
      if (isThere !== undefined) throw new UsageError(`node ${node} is in ${repository} already, nothing was changed`);
      const why = error.stderr.trim().split("\n").slice(0, 3).join("; ");
      throw new UsageError(`node ${node} does not fit onto ${repository} as it is now, nothing was changed: ${why}`);
    }
  }
  return { node, branch, because: manifest.nodes[node].because, files, patch, applied: write };
}

/** The node that is meant, by default the best; one that has no code of its own, or none any more, is refused. */
export async function promotedNode(
  { settings: { treeRunId, shape, config } }: RecordedTree,
  { nodes, state }: Manifest,
  node = state.best_node_id ?? undefined,
): Promise<{ readonly node: string; readonly commit: string; readonly branch: string }> {
  if (shape.dryRun) throw new UsageError(`tree ${treeRunId} was a dry run: there is no code to apply`);
  const promoted = Object.keys(nodes).filter((id) => nodes[id].parent_node_id !== null);
  if (node === undefined || !promoted.includes(node)) {
    const known = promoted.length === 0 ? "none was promoted yet" : `promoted are ${promoted.join(", ")}`;
    const wanted = node === undefined || node === ROOT_ID ? "to apply" : node;
    throw new UsageError(`tree ${treeRunId} has no node ${wanted} (${known})`);
  }
  const { commit, ref_name: branch } = nodes[node];
  if (!(await hasCommit(config.repository, commit))) throw new UsageError(goneText(node, commit));
  return { node, commit, branch };
}

/** `added\tremoved\tpath\0…`; of binary files git counts no lines. */
function numbers(text: string): NodeChange["files"] {
  return text
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [added = "", removed = "", path = ""] = line.split("\t");
      return { path, added: Number.parseInt(added, 10) || 0, removed: Number.parseInt(removed, 10) || 0 };
    });
}
