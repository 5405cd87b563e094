import { defaultWeights, type Instance, type PopulationShape } from "@coppice/airspace";
import { type PoolFactory, threads } from "@coppice/engine";
import { startPlanning } from "../plan/plan-run.ts";
import { type Figure, type Goal, goal } from "../report.ts";
import { evaluationsFor, mean, type SerialCurve } from "./serial-curve.ts";
import { simulatedTime } from "./simulated-rounds.ts";
import type { Part } from "./two-workers.ts";

/** How much is planned; each setting of walkers has its rounds and what it must reach. */
export interface Extent {
  readonly seeds: number;
  readonly evaluations: number;
  /** Prices of a minute of delay; objectives have goals at the first. */
  readonly lambdas: readonly number[];
  /** Evaluations of single searches, ascending. */
  readonly serial: readonly number[];
  readonly settings: readonly (PopulationShape & { readonly objective: number; readonly speedUp: number })[];
}

export const wholeExtent: Extent = {
  seeds: 12,
  evaluations: 160_000,
  lambdas: [0.02, 0.05],
  serial: [10_000, 20_000, 40_000, 80_000, 160_000],
  settings: [
    { walkers: 4, rounds: 40, objective: 1130, speedUp: 3 },
    { walkers: 16, rounds: 21, objective: 1130, speedUp: 10 },
    { walkers: 64, rounds: 21, objective: 1145, speedUp: 20 },
  ],
};

/** Enough to see that everything runs. */
export const quickExtent: Extent = {
  seeds: 1,
  evaluations: 400,
  lambdas: [0.02],
  serial: [200, 400],
  settings: [{ walkers: 4, rounds: 4, objective: 1130, speedUp: 3 }],
};

const WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Equivalent speed-up of walkers that search together: the evaluations that one search needs for the same objective,
 * divided by those of the critical path. Beside it a curve of times on 1 to 256 workers, simulated from the times that
 * segments took here.
 */
export async function measureEquivalentSpeed(
  instance: Instance,
  { seeds, evaluations, lambdas, serial, settings }: Extent,
  progress: (line: string) => void,
): Promise<Part> {
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  const rows: string[] = [];
  for (const delayMinute of lambdas) {
    const day = { instance, weights: { ...defaultWeights, delayMinute } };
    const curve: SerialCurve = await inTurn(serial, async (each) => {
      // As many roots as seeds, so that they are planned side by side; each has the evaluations of one search.
      const { result } = await startPlanning({ ...day, evaluations: each * seeds, roots: seeds, seed: 1 }, everyCore());
      const objective = mean("roots" in result ? result.roots.map((root) => root.objective ?? Number.NaN) : []);
      figures[`λ ${delayMinute}, one search, ${each} evaluations`] = { value: rounded(objective), unit: "J" };
      progress(`λ ${delayMinute}, one search, ${each} evaluations: J ${objective.toFixed(1)}`);
      return { evaluations: each, objective };
    });
    for (const { walkers, rounds, objective: most, speedUp: least } of settings) {
      const label = `λ ${delayMinute}, ${walkers} walkers`;
      const population = { walkers, rounds };
      let times: (readonly number[])[] = [];
      const objectives = await inTurn(
        Array.from({ length: seeds }, (_, at) => at + 1),
        async (seed) => {
          const { result, taskMs } = await startPlanning({ ...day, evaluations, population, seed }, everyCore());
          times = Array.from({ length: rounds }, (_, round) => taskMs.slice(round * walkers, (round + 1) * walkers));
          return result.best?.score.objective ?? Number.NaN;
        },
      );
      const objective = mean(objectives);
      const deviation = Math.sqrt(mean(objectives.map((of) => (of - objective) ** 2)) / Math.max(1, seeds - 1));
      const speedUp = evaluationsFor(curve, objective) / (evaluations / walkers);
      figures[label] = { value: rounded(objective), unit: "J" };
      figures[`${label}, standard error`] = { value: rounded(deviation), unit: "J" };
      if (delayMinute === lambdas[0]) goals.push(goal(label, objective, "J", "<=", most));
      goals.push(goal(`${label}, equivalent speed-up`, speedUp, "×", ">=", least));
      progress(
        `${label}: J ${objective.toFixed(1)} ± ${deviation.toFixed(1)}, as fast as ${speedUp.toFixed(1)} of one`,
      );
      const alone = simulatedTime(times, 1);
      for (const workers of WORKERS) {
        const gain = alone / simulatedTime(times, workers);
        rows.push(`simulated λ ${delayMinute} ${walkers} walkers,${workers},${(alone / gain / 1000).toFixed(3)},,,,`);
        figures[`${label}, simulated gain of ${workers} workers`] = { value: rounded(gain), unit: "×" };
      }
    }
  }
  return { figures, goals, rows };
}

function everyCore(): PoolFactory {
  return threads({});
}

async function inTurn<Item, Value>(items: readonly Item[], each: (item: Item) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (const item of items) values.push(await each(item));
  return values;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
