import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine";
import { findRun, JOURNAL_NAME, runningProcess } from "@coppice/engine/records";
import { readPlan, readTreeFile, resumedPlan, type TreeChoices, TreeJournal } from "@coppice/ideas";
import { checkBackend } from "./chosen-plan.ts";
import { growLive } from "./grow.ts";
import { printGrown } from "./print-tree.ts";
import { type TreeFlags, typedChoices } from "./tree-flags.ts";

export interface ResumeFlags extends TreeFlags {
  readonly force?: boolean;
}

/** `coppice tree resume <run>`. */
export async function resumeTree(named: string, flags: ResumeFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  const before = readPlan(directory);
  refuseIfLive(directory, typedChoices(flags).lockStaleMs);
  const journal = new TreeJournal(join(directory, JOURNAL_NAME));
  if (existsSync(join(directory, JOURNAL_NAME))) journal.follow();
  const file = flags.config === undefined ? undefined : readTreeFile(flags.config);
  const choices: TreeChoices = { ...file?.choices, ...typedChoices(flags) };
  const plan = resumedPlan(before, journal, {
    choices,
    ...(file === undefined ? {} : { config: { ...file.config, repository: before.config.repository } }),
    force: flags.force === true,
    rerunEvals: flags.rerunEvals === true,
    regenerateIdeas: flags.forceRegenerateIdeas === true,
    at: Date.now(),
  });
  checkBackend(plan.shape, plan.work);
  const grown = await growLive(directory, plan, { resume: true, quiet: flags.quiet === true });
  printGrown(grown, directory, flags.json === true);
}

/** Whoever has the lock is asked first: nothing of a live run is touched. */
export function refuseIfLive(directory: string, lockStaleMs = readPlan(directory).work.lockStaleMs): void {
  const owner = runningProcess(directory, lockStaleMs);
  if (owner === undefined) return;
  throw new UsageError(`${directory} is in use by pid ${owner.pid} on ${owner.host}: wait until it ends, or end it`);
}
