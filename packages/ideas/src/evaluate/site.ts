import { isAbsolute, join, resolve } from "node:path";
import type { TreeContext } from "../contract.ts";
import { RepositoryLock } from "../git/repository-lock.ts";
import { runGit } from "../git/run-git.ts";
import { Belongings } from "../leftovers/belongings.ts";
import type { Premises } from "../leftovers/remove-belongings.ts";
import type { TreeSettings } from "../settings.ts";
import { readTreeSettings } from "../settings-file.ts";

/** Where a worker works: the run's folder, its settings, the repository and what the run owns in it. */
export interface Site extends Premises {
  readonly runRoot: string;
  readonly settings: TreeSettings;
  readonly belongings: Belongings;
}

/** Opens the run's folder and repository; changes neither. */
export function openSite({ runRoot }: TreeContext): Promise<Site> {
  return siteOf(runRoot, readTreeSettings(checked(runRoot)));
}

/** The same for settings that are at hand. */
export async function siteOf(runRoot: string, settings: TreeSettings): Promise<Site> {
  const { repository } = settings.config;
  const common = (await runGit(repository, ["rev-parse", "--git-common-dir"])).replace(/\n$/, "");
  const gitDirectory = resolve(repository, common);
  return {
    runRoot: checked(runRoot),
    settings,
    repository,
    gitDirectory,
    // One for all runs in the repository: git itself stumbles over a worktree that is only half there.
    lock: new RepositoryLock(join(gitDirectory, "coppice-tree.lock")),
    belongings: new Belongings(runRoot),
  };
}

/** An empty or relative path would silently mean the folder we happen to stand in. */
function checked(runRoot: string): string {
  if (isAbsolute(runRoot)) return runRoot;
  throw new Error(`the run's folder must be an absolute path, not ${JSON.stringify(runRoot)}`);
}
