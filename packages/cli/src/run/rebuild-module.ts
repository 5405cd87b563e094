import type { PreparedRun, RunFile } from "@coppice/engine";
import { loadModule } from "./load-module.ts";
import { readModuleRecord } from "./module-record.ts";
import { planModule } from "./plan-module.ts";

/** Prepares a recorded run of a user's module again. */
export async function rebuildModuleRun(file: RunFile, directory: string): Promise<PreparedRun> {
  const { module, options } = readModuleRecord(file, directory);
  return planModule(await loadModule(module), { seed: file.seed, options });
}
