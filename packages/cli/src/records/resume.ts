import { findRun, readRunFile } from "@coppice/engine/records";
import type { WorkOptions } from "../options/work-options.ts";
import { printEnd } from "../session/print-end.ts";
import { resumeToEnd } from "../session/run-to-end.ts";
import { rebuild } from "../tools/rebuild.ts";

/** `coppice resume <run>`: the display says first what is reused and what is run again, and why. */
export async function resumeRun(named: string, options: WorkOptions): Promise<void> {
  const directory = findRun(named, options.runDir);
  const file = readRunFile(directory);
  const planned = await rebuild(file, directory);
  if (planned.resume !== undefined) return planned.resume(options);
  const session = await resumeToEnd(planned, file, directory, options);
  if (session.end.state === "done") planned.finish?.(session.end.result);
  const { describe, document, partial, exitCode } = planned;
  printEnd(session, { json: options.json, describe, document, partial, exitCode });
}
