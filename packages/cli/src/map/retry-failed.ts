import { dirname } from "node:path";
import { type RunFile, readResultFile } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import type { WorkOptions } from "../options/run-options.ts";
import { runAndPrint } from "../session/live-run.ts";
import { mapAgain } from "./map.ts";
import type { MapResult } from "./map-search.ts";

/** `coppice resume <run> --retry-failed`: the items of a finished map that failed, in a run of their own. */
export async function retryFailed(file: RunFile, directory: string, options: WorkOptions): Promise<void> {
  if (file.tool !== "map") throw new UsageError(`--retry-failed: run ${file.id} is of "${file.tool}", not of map`);
  const ended = readResultFile(directory);
  if (ended === undefined) throw new UsageError(`--retry-failed: run ${file.id} is not finished: resume it first`);
  // Cast: written by the map that this is the result of.
  const { failures } = ended.result as MapResult;
  if (failures.length === 0) throw new UsageError(`--retry-failed: no item of run ${file.id} failed`);
  const again = mapAgain(
    file,
    failures.map(({ number }) => number),
    options,
  );
  await runAndPrint(again, { runs: dirname(directory) }, { ...options, quiet: true });
}
