import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRunFile, UsageError } from "@coppice/engine";
import { poolFor } from "@coppice/projections";
import { customJob } from "./custom-job.ts";
import { footballJob } from "./football-job.ts";
import { runJob } from "./run-job.ts";
import type { WorkFlags } from "./tune.ts";
import type { TuneOptions } from "./tune-options.ts";

/** `coppice tune resume`: the same tuning again, answered from its journal as far as that goes. */
export async function resume(run: string, flags: WorkFlags): Promise<number> {
  const directory = existsSync(join(run, "run.json")) ? run : join(flags.runDir, run);
  const file = readRunFile(directory);
  if (file.tool !== "tune") throw new UsageError(`run ${file.id} is no tuning but "${file.tool}"`);
  // Cast: written by startTuning, and the engine refuses a run.json whose options differ from the run's.
  const options = file.options as TuneOptions;
  const { seed, lookahead, retries, timeoutMs, onFailure } = file;
  const settings = {
    options,
    pool: poolFor(flags).pool,
    directory,
    resume: true,
    shape: { seed, lookahead, retries, timeoutMs, onFailure },
    json: flags.json ?? false,
    quiet: flags.quiet ?? false,
  };
  return options.kind === "football" ? runJob(footballJob(options), settings) : runJob(customJob(options), settings);
}
