import { resolve } from "node:path";
import { findRun, type RunFile } from "@coppice/engine/records";
import {
  choicesIn,
  editedConfiguration,
  openTree,
  type PreparedTree,
  prepareRecordedTree,
  resumedTree,
  type TreeChoices,
  type TreeOnDisk,
} from "@coppice/ideas";
import type { WorkOptions } from "../options/run-options.ts";
import { notice } from "../print.ts";
import { runAndPrint } from "../session/live-run.ts";
import { type TreeFlags, workOptions } from "./tree-flags.ts";

export interface ResumeFlags extends TreeFlags {
  readonly force?: boolean;
}

/** `coppice tree resume <run>`. */
export async function resumeTree(named: string, flags: ResumeFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  const tree = resumedTree(resolve(directory), {
    config: flags.config,
    choices: choicesIn({ ...flags }, "flags"),
    force: flags.force === true,
    rerunEvals: flags.rerunEvals === true,
    regenerateIdeas: flags.forceRegenerateIdeas === true,
  });
  noteEdits(tree);
  await runAndPrint(prepareRecordedTree(tree), { resume: directory }, workOptions(flags));
}

/** Prepares a recorded tree again: to be verified as it is, or to be resumed with the options all tools have. */
export async function rebuildTree(_file: RunFile, directory: string, options?: WorkOptions): Promise<PreparedTree> {
  const runRoot = resolve(directory);
  if (options === undefined) return prepareRecordedTree(openTree(runRoot));
  const { workers, pool, maxCost } = options;
  const choices: TreeChoices = {
    ...(workers === "auto" ? {} : { maxParallelEvals: workers }),
    ...(pool === undefined ? {} : { parallelBackend: pool }),
    ...(maxCost === undefined ? {} : { maxMoney: maxCost }),
  };
  const tree = resumedTree(runRoot, { choices }, "--pool");
  noteEdits(tree);
  return prepareRecordedTree(tree);
}

/** A file that was edited meanwhile is not what the run goes on with: that is said. */
function noteEdits(tree: TreeOnDisk): void {
  const edited = editedConfiguration(tree);
  if (edited !== undefined) notice(edited);
}
