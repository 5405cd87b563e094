import { findRun, readRunFile } from "@coppice/engine/records";
import type { WorkOptions } from "../options/run-options.ts";
import { runAndPrint } from "../session/live-run.ts";
import { rebuild } from "../tools/rebuild.ts";

export interface ResumeFlags extends WorkOptions {
  /** Where the user's module is now. */
  readonly module?: string;
  /** Run the items of a finished map again that failed. */
  readonly retryFailed?: boolean;
}

/** `coppice resume <run>`: the display says first what is reused and what is run again, and why. */
export async function resumeRun(named: string, options: ResumeFlags): Promise<void> {
  const directory = findRun(named, options.runDir);
  const file = readRunFile(directory);
  if (options.retryFailed === true) {
    await (await import("../map/map.ts")).retryFailed(file, directory, options);
    return;
  }
  const prepared = await rebuild(file, directory, options, options.module);
  await runAndPrint(prepared, { resume: directory }, options);
}
