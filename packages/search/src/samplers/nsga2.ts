import type { Random } from "@coppice/engine/evaluator";
import { crowding, frontsOf } from "./pareto.ts";
import { haltonSequence } from "./spread.ts";
import { isTold, type Sampler, type SamplerSetting, type Told, type Trial } from "./trial.ts";

export interface Nsga2Options {
  /** Points a generation. */
  readonly population?: number;
}

/** How far children stray: the exponents of simulated binary crossover and polynomial mutation (Deb and Agrawal 1995). */
const CROSSOVER = 15;
const MUTATION = 20;

/**
 * NSGA-II (Deb et al. 2002): parents are those that fewest dominate and that have the most room; children mix two of them. A
 * generation is a barrier: all of its points can be out at once.
 */
export function nsga2Sampler(setting: SamplerSetting, { population = 24 }: Nsga2Options = {}): Sampler {
  const { parameters } = setting.space;
  const spread = haltonSequence(setting);
  let asked = 0;
  let parents: readonly Told[] = [];
  /** The current generation begins at this trial. */
  let from = 0;
  return {
    next(trials, draws) {
      const generation = trials.slice(from);
      if (generation.length >= population) {
        if (generation.some(({ values }) => values === undefined)) return undefined;
        parents = survivors([...parents, ...generation.filter(isTold)], population);
        from = trials.length;
      }
      if (parents.length < 2) return spread(asked++);
      return child(tournament(parents, draws), tournament(parents, draws), draws);
    },
  };

  function child(a: Trial, b: Trial, draws: Random): Float64Array {
    const crossed = draws.uniform() < 0.9;
    return Float64Array.from(parameters, ({ domain }, d) => {
      const [p, q] = [a.place[d], b.place[d]];
      const mutates = draws.uniform() < 1 / parameters.length;
      if (domain.kind === "choice") return mutates ? draws.uniform() : crossed && draws.uniform() < 0.5 ? q : p;
      let place = p;
      if (crossed && draws.uniform() < 0.5) {
        const u = draws.uniform();
        const beta = u < 0.5 ? (2 * u) ** (1 / (CROSSOVER + 1)) : (1 / (2 * (1 - u))) ** (1 / (CROSSOVER + 1));
        place = 0.5 * ((1 + beta) * p + (1 - beta) * q);
      }
      if (mutates) {
        const u = draws.uniform();
        place += u < 0.5 ? (2 * u) ** (1 / (MUTATION + 1)) - 1 : 1 - (2 * (1 - u)) ** (1 / (MUTATION + 1));
      }
      return Math.min(1 - 2 ** -53, Math.max(0, place));
    });
  }
}

/** Of two drawn at random the better placed; parents are in order. */
function tournament(parents: readonly Told[], draws: Random): Told {
  return parents[Math.min(draws.integer(0, parents.length - 1), draws.integer(0, parents.length - 1))];
}

/** The best `count`, best first: by front, then by room, then the earlier. */
function survivors(all: readonly Told[], count: number): readonly Told[] {
  const values = all.map((trial) => trial.values);
  const ordered = frontsOf(values).flatMap((front) => {
    const room = crowding(front, values);
    return front.toSorted((a, b) => {
      const [ra, rb] = [room.get(a) ?? 0, room.get(b) ?? 0];
      return ra === rb ? a - b : rb - ra;
    });
  });
  return ordered.slice(0, count).map((i) => all[i]);
}
