import type { TreeId } from "../contract.ts";
import type { TreeSettings } from "../settings.ts";

/** What the coordinator needs of the machine outside of tasks; the functions are exported under these names. */
export interface TreeGround {
  /** Refuses (`UsageError`) what is no repository, has no commit, a detached HEAD or uncommitted changes; touches nothing. */
  inspectRepository(path: string): Promise<{ readonly top: string; readonly commit: string; readonly branch: string }>;
  /** Keeps the runs directory out of `git status` through `.git/info/exclude`; does nothing outside a repository. */
  excludeFromGit(repository: string, runsDirectory: string): Promise<void>;
  /** Worktrees, branches, temp folders and locks this run made and does not need, given what it still does. */
  listLeftovers(runRoot: string, settings: TreeSettings, kept: KeptIds): Promise<readonly Leftover[]>;
  /** Removes them, and never anything else; says what could not be removed. */
  removeLeftovers(runRoot: string, settings: TreeSettings, leftovers: readonly Leftover[]): Promise<readonly string[]>;
}

export interface KeptIds {
  readonly nodes: ReadonlySet<TreeId>;
  readonly evaluations: ReadonlySet<TreeId>;
}

export interface Leftover {
  readonly kind: "worktree" | "branch" | "folder" | "process";
  /** Path relative to the run's root, the branch's name, or the step and its pid. */
  readonly name: string;
}
