import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { branchCommit } from "../git/refs.ts";
import { GitError, runGit } from "../git/run-git.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { nodeDescription } from "../report/node-description.ts";
import type { RecordedTree } from "../run/recorded-tree.ts";
import { promotedNode } from "./apply-node.ts";

/** Which node goes onto which branch, and how. */
export interface BranchWishes {
  readonly node?: string | undefined;
  /** The branch that gets the node's commits; made at `base` if there is none. */
  readonly branch?: string | undefined;
  /** Where a new branch begins; the branch that is checked out, if absent. */
  readonly base?: string | undefined;
  /** The commits one by one, or one merge of them. */
  readonly how: "cherry-pick" | "merge";
  /** The remote that the branch is pushed to; nothing leaves the machine without one. */
  readonly push?: string | undefined;
}

/** A node's commits on a branch of the user's. */
export interface BranchedNode {
  readonly node: string;
  readonly branch: string;
  readonly commit: string;
  /** A title and what the record says of the change, in the run's directory. */
  readonly description: string;
  readonly text: string;
  readonly pushed: string | null;
}

/**
 * Puts the commits of a node, with their messages, onto a branch, in a worktree of its own: what is checked out is not
 * touched. All of them or none: a conflict leaves the branch as it was.
 */
export async function branchNode(tree: RecordedTree, manifest: Manifest, wishes: BranchWishes): Promise<BranchedNode> {
  const { runRoot, settings } = tree;
  const { repository } = settings.config;
  const { node, commit } = await promotedNode(tree, manifest, wishes.node);
  const branch = wishes.branch ?? `coppice/${settings.treeRunId}-${node}`;
  if (branch.startsWith(`tree/${settings.treeRunId}/`)) {
    throw new UsageError(`${branch} is a branch of the tree itself, which must stay as it is: name another`);
  }
  await said(`${branch} cannot be the name of a branch`, () =>
    runGit(repository, ["check-ref-format", "--branch", branch]),
  );
  await refuseCheckedOut(repository, branch);
  const { push } = wishes;
  if (push !== undefined) {
    await said(`the remote ${push} cannot be read, so nothing was done`, () =>
      runGit(repository, ["ls-remote", "--heads", push, branch]),
    );
  }
  const before = await branchCommit(repository, branch);
  const text = nodeDescription(manifest, node);
  const place = join(runRoot, `apply-${node}`);
  const from = before ?? wishes.base ?? "HEAD";
  try {
    await said(`${from} cannot be checked out`, () =>
      runGit(repository, ["worktree", "add", "--quiet", "--detach", place, from]),
    );
    const env = await committer(repository);
    const take =
      wishes.how === "merge"
        ? ["merge", "--quiet", "--no-ff", "--message", text.replace(/^# /, ""), commit]
        : ["cherry-pick", ...(await missingCommits(place, settings.rootCommit, commit))];
    // What is there already, from the last time say, is not taken again.
    if (take.length > 1) {
      await said(`node ${node} does not fit onto ${branch}, which is left as it was`, () =>
        runGit(place, take, { env }),
      );
    }
    const after = (await runGit(place, ["rev-parse", "HEAD"])).trim();
    await runGit(repository, ["update-ref", `refs/heads/${branch}`, after, before ?? ""]);
    const description = join(runRoot, `node-${node}.md`);
    writeDurably(description, text);
    if (push !== undefined) {
      await said(`${branch} could not be pushed to ${push}`, () => runGit(repository, ["push", push, branch]));
    }
    return { node, branch, commit: after, description, text, pushed: push ?? null };
  } finally {
    await runGit(repository, ["worktree", "remove", "--force", place]).catch(() => {});
    rmSync(place, { recursive: true, force: true });
  }
}

/** Those of a node's commits whose change the checked out commit does not have, oldest first. */
async function missingCommits(place: string, root: string, commit: string): Promise<string[]> {
  const listing = await runGit(place, ["cherry", "HEAD", commit, root]);
  return listing.split("\n").flatMap((line) => (line.startsWith("+ ") ? [line.slice(2)] : []));
}

/** Whoever works in the repository commits; where git knows of nobody, the tree does. */
async function committer(repository: string): Promise<Readonly<Record<string, string>>> {
  const known = await runGit(repository, ["config", "user.email"]).catch(() => "");
  return known === ""
    ? {
        GIT_COMMITTER_NAME: "coppice",
        GIT_COMMITTER_EMAIL: "coppice@localhost",
        GIT_AUTHOR_NAME: "coppice",
        GIT_AUTHOR_EMAIL: "coppice@localhost",
      }
    : {};
}

async function refuseCheckedOut(repository: string, branch: string): Promise<void> {
  const listing = await runGit(repository, ["for-each-ref", "--format=%(worktreepath)", `refs/heads/${branch}`]);
  if (listing.trim() === "") return;
  throw new UsageError(
    `the branch ${branch} is checked out in ${listing.trim()}: name another, or use "coppice tree apply --yes"`,
  );
}

/** What git says when it cannot, in a line of ours. */
async function said(what: string, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new UsageError(
      `${what}: ${error.stderr
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("hint: "))
        .slice(0, 3)
        .join("; ")}`,
    );
  }
}
