import type { Weights } from "../network/weights.ts";
import type { RateWorkers } from "../rates/rate-workers.ts";

/**
 * Environment variable that says how many workers each commit's worker has for scoring rates; none when absent. It is
 * no part of a run's record, because it does not change what is found.
 */
export const RATE_WORKERS = "COPPICE_NUM_WORKERS_RF";

/** The rate workers of this worker, if there should be any: never more than its share of the cores. */
export async function rateWorkersHere(
  weights: Weights,
  shared: Readonly<Record<string, SharedArrayBuffer>>,
): Promise<RateWorkers | undefined> {
  const wanted = Number(process.env[RATE_WORKERS] ?? 0);
  if (!(Number.isInteger(wanted) && wanted >= 1)) return undefined;
  // Most runs have none: the pools are loaded only where they are needed.
  const [{ threads }, { RateWorkers }] = await Promise.all([
    import("@coppice/engine"),
    import("../rates/rate-workers.ts"),
  ]);
  return new RateWorkers(threads({ workers: wanted }), weights, shared);
}
