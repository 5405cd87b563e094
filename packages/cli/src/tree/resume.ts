import { resolve } from "node:path";
import { findRun, type RunFile } from "@coppice/engine/records";
import {
  choicesIn,
  openTree,
  type PreparedTree,
  prepareRecordedTree,
  resumedTree,
  type TreeChoices,
} from "@coppice/ideas";
import type { WorkOptions } from "../options/run-options.ts";
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
  return prepareRecordedTree(resumedTree(runRoot, { choices }, "--pool"));
}
