import type { RunFile } from "@coppice/engine";
import type { PlannedRun } from "../tools/planned-run.ts";
import { loadModule } from "./load-module.ts";
import { readModuleRecord } from "./module-record.ts";
import { planModule } from "./plan-module.ts";

/** Prepares a recorded run of a user's module again. */
export async function rebuildModuleRun(file: RunFile, directory: string): Promise<PlannedRun> {
  const { module, options } = readModuleRecord(file, directory);
  return planModule(await loadModule(module), { seed: file.seed, options });
}
