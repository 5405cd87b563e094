import type { RunOptions } from "../options/shape-options.ts";
import { printEnd } from "../session/print-end.ts";
import { startToEnd } from "../session/run-to-end.ts";
import { loadModule } from "./load-module.ts";
import { readOptions } from "./module-options.ts";
import { moduleRecord } from "./module-record.ts";
import { planModule } from "./plan-module.ts";

/** `coppice run <module>`: the module's own defaults give way to the command line and the environment. */
export async function startModule(given: string, pairs: readonly string[], typed: RunOptions): Promise<void> {
  const loaded = await loadModule(given);
  const { lookahead, retries, timeoutMs, onFailure } = loaded.run;
  const options: RunOptions = {
    ...(lookahead === undefined ? {} : { lookahead }),
    ...(retries === undefined ? {} : { retries }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...typed,
  };
  const moduleOptions = readOptions(pairs, loaded.run.options);
  const planned = await planModule(loaded, { seed: typed.seed ?? 0, options: moduleOptions });
  const record = (directory: string) => ({
    tool: "run",
    options: moduleRecord(loaded.path, directory, moduleOptions),
  });
  printEnd(await startToEnd(planned, record, options), { json: options.json, describe: planned.describe });
}
