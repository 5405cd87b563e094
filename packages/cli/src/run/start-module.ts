import type { RunOptions } from "../options/shape-options.ts";
import { newRun, runAndPrint } from "../session/live-run.ts";
import { loadModule } from "./load-module.ts";
import { readOptions } from "./module-options.ts";
import { planModule } from "./plan-module.ts";

/** `coppice run <module>`: the module's own defaults give way to the command line and the environment. */
export async function startModule(given: string, pairs: readonly string[], options: RunOptions): Promise<void> {
  const loaded = await loadModule(given);
  const moduleOptions = readOptions(pairs, loaded.run.options);
  const prepared = await planModule(loaded, { seed: options.seed ?? 0, options: moduleOptions });
  await runAndPrint(prepared, newRun(options), options);
}
