import { isDeepStrictEqual } from "node:util";
import { type Instance, makePlan, type PlannerOptions, type Weights } from "@coppice/airspace";
import { medianRatio } from "../measure.ts";
import { processorSeconds } from "./speed.ts";

/** Plans made with and without stopping at what is not wanted: with as many evaluations, and in as much time. */
export interface EqualTime {
  /** Evaluations with stopping in the processor time of the evaluations without. */
  readonly evaluations: number;
  /** J of each seed: every score to its end, and with stopping in the same time. */
  readonly toTheEnd: readonly number[];
  readonly inTheSameTime: readonly number[];
  /** Plans of as many evaluations that stopping changed. */
  readonly different: number;
}

/** Plans every seed both ways in turns, then once more with as many evaluations as the faster way has in that time. */
export function planInEqualTime(
  instance: Instance,
  weights: Weights,
  options: Omit<PlannerOptions, "seed">,
  seeds: readonly number[],
): EqualTime {
  const times = { toTheEnd: [] as number[], stopping: [] as number[] };
  const toTheEnd: number[] = [];
  let different = 0;
  for (const seed of seeds) {
    const plan = (watch: Parameters<typeof makePlan>[3]) => makePlan(instance, weights, { ...options, seed }, watch);
    const [whole, stopped] = [
      timed(times.toTheEnd, () => plan({ toTheEnd: true })),
      timed(times.stopping, () => plan({})),
    ];
    if (!isDeepStrictEqual(whole, stopped)) different++;
    toTheEnd.push(whole.score.objective);
  }
  const evaluations = Math.round(options.evaluations * medianRatio(times.toTheEnd, times.stopping));
  const inTheSameTime = seeds.map(
    (seed) => makePlan(instance, weights, { ...options, evaluations, seed }).score.objective,
  );
  return { evaluations, toTheEnd, inTheSameTime, different };
}

function timed<Result>(seconds: number[], work: () => Result): Result {
  const { spent, result } = processorSeconds(work);
  seconds.push(spent);
  return result;
}
