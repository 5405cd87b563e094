import { dirname, resolve } from "node:path";
import { reserveDirectory, UsageError } from "@coppice/engine";
import { excludeFromGit, newSettings, openTree, refuseTakenName } from "@coppice/ideas";
import { type ChosenTree, chooseTree } from "./chosen-settings.ts";
import { growLive } from "./grow.ts";
import { printGrown } from "./print-tree.ts";
import type { TreeFlags } from "./tree-flags.ts";

export interface RunFlags extends TreeFlags {
  readonly id?: string;
}

/** `coppice tree run`. */
export async function runTree(flags: RunFlags): Promise<void> {
  checkName(flags.id);
  refuseDoingAgain(flags);
  const chosen = await chooseTree(flags);
  const { grown, directory } = await startTree(chosen, flags, flags.id);
  printGrown(grown, directory, flags.json === true);
}

/** Gives a chosen tree its directory and grows it. */
export async function startTree(chosen: ChosenTree, flags: TreeFlags, name: string | undefined) {
  const { config, shape, work, rootCommit } = chosen;
  const { id, directory, giveBack } = reserveDirectory(flags.runDir, name);
  try {
    if (!shape.dryRun) {
      await refuseTakenName(config.repository, id);
      await excludeFromGit(config.repository, resolve(dirname(directory)));
    }
    const settings = newSettings(id, rootCommit, config, shape, work);
    const grown = await growLive(openTree(resolve(directory), settings), {
      resume: false,
      quiet: flags.quiet === true,
    });
    return { grown, directory };
  } finally {
    giveBack();
  }
}

/** A new run has done nothing that could be done again. */
function refuseDoingAgain({ id, rerunEvals, forceRegenerateIdeas }: RunFlags): void {
  for (const [asked, flag, what] of [
    [rerunEvals, "--rerun-evals", "evaluated"],
    [forceRegenerateIdeas, "--force-regenerate-ideas", "thought of"],
  ] as const) {
    if (asked !== true) continue;
    throw new UsageError(
      `a new run has nothing that was ${what} before: use "coppice tree resume ${id ?? "<run>"} ${flag}", or leave ${flag} out`,
    );
  }
}

/** The run's name is part of branch names, where git allows less than a folder does. */
export function checkName(id: string | undefined): void {
  if (id === undefined || !/(\.lock|\.)$/i.test(id)) return;
  throw new UsageError(`run id ${JSON.stringify(id)} is not usable: git has no branches that end with "." or ".lock"`);
}
