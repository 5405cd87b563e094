import { mkdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { Belongings } from "../belongings/belongings.ts";
import type { TreeId } from "../contract.ts";
import { RepositoryLock } from "../git/repository-lock.ts";
import { runGit } from "../git/run-git.ts";
import { layout } from "../run-layout.ts";
import { settingsOnDisk, type TreeSettings } from "../settings.ts";
import { Ledger } from "../steps/ledger.ts";

/** A run that is worked on: its folder, its settings, the repository and what belongs to the run in it. */
export interface OpenRun {
  readonly runRoot: string;
  readonly settings: TreeSettings;
  readonly repository: string;
  readonly gitDirectory: string;
  readonly lock: RepositoryLock;
  readonly belongings: Belongings;
  readonly ledger: Ledger;
  /** Held while a node's worktree is set up. */
  readonly setUpLock: (nodeId: TreeId) => RepositoryLock;
}

/** Opens a run's folder and repository; changes neither. */
export async function openRun(runRoot: string, given?: TreeSettings): Promise<OpenRun> {
  // An empty or relative path would silently mean the folder we happen to be in.
  if (!isAbsolute(runRoot))
    throw new Error(`the run's folder must be an absolute path, not ${JSON.stringify(runRoot)}`);
  const settings = given ?? settingsOnDisk(runRoot);
  const { repository } = settings.config;
  const common = (await runGit(repository, ["rev-parse", "--git-common-dir"])).replace(/\n$/, "");
  const gitDirectory = resolve(repository, common);
  return {
    runRoot,
    settings,
    repository,
    gitDirectory,
    lock: RepositoryLock.of(gitDirectory),
    belongings: new Belongings(runRoot),
    ledger: new Ledger(runRoot),
    setUpLock: (nodeId) => {
      mkdirSync(join(runRoot, layout.nodeLogs(nodeId)), { recursive: true });
      return new RepositoryLock(join(runRoot, layout.nodeLogs(nodeId), "lock"));
    },
  };
}
