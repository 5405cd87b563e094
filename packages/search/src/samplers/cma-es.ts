import type { Random } from "@coppice/engine/evaluator";
import { sizeOf } from "../space/unit-scale.ts";
import { CovarianceAdaptation } from "./covariance-adaptation.ts";
import { byValue } from "./tpe.ts";
import { isTold, type Sampler, type SamplerSetting, type Trial } from "./trial.ts";

export interface CmaEsOptions {
  /** Points a generation; default 4 + ⌊3·ln(numbers in the space)⌋, half of that with fewer than 20 trials for each number. */
  readonly population?: number;
  /** How far the first points lie apart, as a part of each range. */
  readonly sigma?: number;
}

/** A start of the strategy that has settled is started again with twice as many points a generation. */
interface Start {
  readonly cma: CovarianceAdaptation | undefined;
  readonly size: number;
  /** By choice parameter: how likely each value is. */
  readonly tables: ReadonlyMap<number, Float64Array>;
  /** Best value of each generation. */
  readonly bests: number[];
}

/**
 * Covariance matrix adaptation. A generation is a barrier: all of its points can be out at once, and nothing is learned from
 * a part of it, so that the window never changes what is found. Numbers with steps keep a deviation of a third of a step at
 * least; choices have a probability for each value that moves towards those of good points. What lies outside is drawn
 * again, and put on the edge at last. A generation that settled restarts elsewhere with twice the points.
 */
export function cmaEsSampler(
  { space, start: expected, trials: most = Number.POSITIVE_INFINITY }: SamplerSetting,
  { population, sigma = expected === undefined ? 1 / 8 : 0.1 }: CmaEsOptions = {},
): Sampler {
  const { parameters } = space;
  const numbers = parameters.flatMap(({ domain }, d) => (domain.kind === "choice" ? [] : [d]));
  const many = 4 + Math.floor(3 * Math.log(Math.max(1, numbers.length)));
  const usual = population ?? (most < 20 * numbers.length ? Math.max(4, Math.floor(many / 2)) : many);

  const startAt = (place: ArrayLike<number>, size: number): Start => ({
    cma:
      numbers.length === 0
        ? undefined
        : new CovarianceAdaptation(
            numbers.map((d) => place[d]),
            sigma,
            size,
          ),
    size,
    tables: new Map(
      parameters.flatMap(({ domain }, d) =>
        domain.kind === "choice" ? [[d, new Float64Array(domain.values.length).fill(1 / domain.values.length)]] : [],
      ),
    ),
    bests: [],
  });

  let start: Start | undefined;
  const own = new Set<Float64Array>();
  /** The current generation begins at this trial. */
  let from = 0;

  return {
    next(trials, draws) {
      if (start === undefined) {
        // What is known already says where to begin.
        const known = byValue(trials.filter(isTold))[0];
        start = startAt(expected ?? known?.place ?? new Float64Array(parameters.length).fill(0.5), usual);
        from = trials.length;
      }
      const generation: Trial[] = [];
      for (let i = from; i < trials.length; i++) {
        const { chosen } = trials[i];
        if (chosen !== undefined && own.has(chosen)) generation.push(trials[i]);
      }
      if (generation.length === start.size) {
        if (generation.some(({ values }) => values === undefined)) return undefined;
        learn(start, generation);
        if (settled(start)) {
          const anywhere = draws.at("restart");
          const place = parameters.map(() => anywhere.uniform());
          start = startAt(place, start.size * 2);
        }
        own.clear();
        from = trials.length;
      }
      const place = drawn(start, draws);
      own.add(place);
      return place;
    },
  };

  function drawn({ cma, tables }: Start, draws: Random): Float64Array {
    const place = new Float64Array(parameters.length);
    let point: Float64Array = new Float64Array();
    for (let attempt = 0; attempt < 20 && cma !== undefined; attempt++) {
      point = cma.point(numbers.map(() => draws.normal()));
      if (point.every((x) => x >= 0 && x < 1)) break;
    }
    for (const [i, d] of numbers.entries()) place[d] = Math.min(1, Math.max(0, point[i]));
    for (const [d, table] of tables) place[d] = (draws.weightedIndex(table) + 0.5) / table.length;
    return place;
  }

  function learn({ cma, tables, bests }: Start, generation: readonly Trial[]): void {
    const told = byValue(generation.filter(isTold));
    const ranked: readonly Trial[] = [...told, ...generation.filter((trial) => !isTold(trial))];
    const places = ranked.map(({ chosen, place }) => chosen ?? place);
    bests.push(told[0]?.values[0] ?? Number.POSITIVE_INFINITY);
    cma?.learn(places.map((place) => numbers.map((d) => place[d])));
    for (const [i, d] of numbers.entries()) {
      const size = sizeOf(parameters[d].domain);
      if (size < 1e6 && size > 1) cma?.widen(i, 1 / (3 * size));
    }
    for (const [d, table] of tables) shift(table, places.slice(0, Math.ceil(places.length / 2)), d);
  }

  function settled({ cma, size, bests }: Start): boolean {
    if (cma === undefined) return false;
    const continuous = numbers.flatMap((d, i) => (sizeOf(parameters[d].domain) > 1e6 ? [i] : []));
    const still = continuous.length > 0 && continuous.every((i) => cma.deviation(i) < 1e-9);
    const lately = bests.slice(-(10 + Math.ceil((30 * numbers.length) / size)));
    const flat =
      lately.length >= 10 + Math.ceil((30 * numbers.length) / size) &&
      Math.max(...lately) - Math.min(...lately) <= 1e-12;
    return still || flat;
  }
}

/** Moves probabilities towards the values of good points; none falls below a tenth of an even share. */
function shift(table: Float64Array, good: readonly ArrayLike<number>[], d: number): void {
  const rate = 0.3;
  const shares = new Float64Array(table.length);
  for (const place of good) shares[Math.min(table.length - 1, Math.floor(place[d] * table.length))] += 1 / good.length;
  let total = 0;
  for (let v = 0; v < table.length; v++) {
    table[v] = Math.max(0.1 / table.length, (1 - rate) * table[v] + rate * shares[v]);
    total += table[v];
  }
  for (let v = 0; v < table.length; v++) table[v] /= total;
}
