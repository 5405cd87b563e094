import { resolve } from "node:path";
import { UsageError } from "@coppice/engine";
import { findRun, runningProcess } from "@coppice/engine/records";
import { openTree, readSettings, readTreeFile, resumedSettings, type TreeChoices } from "@coppice/ideas";
import { checkBackend } from "./chosen-settings.ts";
import { growLive } from "./grow.ts";
import { printGrown } from "./print-tree.ts";
import { type TreeFlags, typedChoices } from "./tree-flags.ts";

export interface ResumeFlags extends TreeFlags {
  readonly force?: boolean;
}

/** `coppice tree resume <run>`. */
export async function resumeTree(named: string, flags: ResumeFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  refuseIfLive(directory, typedChoices(flags).lockStaleMs);
  const tree = openTree(resolve(directory));
  const { settings: before, journal } = tree;
  const file = flags.config === undefined ? undefined : readTreeFile(flags.config);
  const choices: TreeChoices = { ...file?.choices, ...typedChoices(flags) };
  const settings = resumedSettings(before, journal, {
    choices,
    ...(file === undefined ? {} : { config: { ...file.config, repository: before.config.repository } }),
    force: flags.force === true,
    rerunEvals: flags.rerunEvals === true,
    regenerateIdeas: flags.forceRegenerateIdeas === true,
    at: Date.now(),
  });
  checkBackend(settings.shape, settings.work);
  const grown = await growLive({ ...tree, settings }, { resume: true, quiet: flags.quiet === true });
  printGrown(grown, directory, flags.json === true);
}

/** Whoever has the lock is asked first: nothing of a live run is touched. */
export function refuseIfLive(directory: string, lockStaleMs = readSettings(directory).work.lockStaleMs): void {
  const owner = runningProcess(directory, lockStaleMs);
  if (owner === undefined) return;
  throw new UsageError(`${directory} is in use by pid ${owner.pid} on ${owner.host}: wait until it ends, or end it`);
}
