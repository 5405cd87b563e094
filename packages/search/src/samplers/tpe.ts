import type { SearchSpace } from "../space/search-space.ts";
import { pointAt } from "../space/search-space.ts";
import { ParzenEstimator } from "./parzen.ts";
import { haltonSequence } from "./spread.ts";
import { isTold, type Sampler, type SamplerSetting, type Told, type Trial } from "./trial.ts";

/** How the tree-structured Parzen estimator looks (Bergstra et al. 2011; all parameters together as in Falkner et al. 2018). */
export interface TpeOptions {
  /** Evenly spread places before the first that is chosen. */
  readonly startup?: number;
  /** Places drawn near good trials, of which the most promising is taken. */
  readonly candidates?: number;
}

/**
 * Models where good trials are and where all others are, and looks where the first is high and the second low. Trials that
 * have failed count among the others. Those that are out count nowhere: they are where good ones are, and to expect the
 * worst of them would drive the next ones away from there; draws differ enough for nobody to look twice at one place. Many
 * draws of one model spread by themselves, so the more are out, the more the best of the good trials weigh.
 */
export function tpeSampler(setting: SamplerSetting, { startup = 10, candidates = 24 }: TpeOptions = {}): Sampler {
  const { space } = setting;
  const spread = haltonSequence(setting);
  let asked = 0;
  return {
    next(trials, draws) {
      const index = asked++;
      const ended = trials.filter(({ values }) => values !== undefined);
      if (trials.length < startup || ended.length === 0) return spread(index);
      const [good, others] = divided(ended);
      // Without a difference between trials nothing is known: the prior.
      if (good.length === 0 && others.length === 0) return Float64Array.from(space.parameters, () => draws.uniform());
      const sharpness = Math.min(3, Math.sqrt(1 + trials.length - ended.length));
      const below = new ParzenEstimator(space, good, kernelWidth, (k, count) => rankWeight(k, count) ** sharpness);
      const above = new ParzenEstimator(space, others, kernelWidth);
      let best = below.draw(draws);
      let most = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < candidates; i++) {
        const place = i === 0 ? best : below.draw(draws);
        const exists = existing(space, place);
        const promise = below.logDensity(place, exists) - above.logDensity(place, exists);
        if (promise > most) [most, best] = [promise, place];
      }
      return best;
    },
  };
}

/** The best fifth (at most 25), best first, and all others; two empty lists when all that is known is that trials are alike. */
function divided(trials: readonly Trial[]): readonly [good: readonly Trial[], others: readonly Trial[]] {
  const told = trials.filter(isTold);
  const failed = trials.filter(({ values }) => values === null).length;
  const alike = told.every(({ values }) => values[0] === told[0].values[0]);
  if (alike && failed === 0 && told.length > 0) return [[], []];
  const good = new Set<Trial>(byValue(told).slice(0, Math.min(25, Math.ceil(told.length / 5))));
  return [[...good], trials.filter((trial) => !good.has(trial))];
}

/** Best first; of equal ones the earlier. */
export function byValue(told: readonly Told[]): readonly Told[] {
  return told.toSorted((a, b) => a.values[0] - b.values[0]);
}

/** What a good trial weighs: as in CMA-ES, the logarithm of its rank decides. */
function rankWeight(index: number, count: number): number {
  return Math.log(count + 0.5) - Math.log(index + 1);
}

/** Scott's rule for a spread of a fourteenth of the range, and never narrower than the trials can tell apart. */
function kernelWidth(dimensions: number, count: number): number {
  return Math.max(0.07 * Math.max(1, count) ** (-1 / (dimensions + 4)), 1 / Math.min(100, count + 2));
}

function existing(space: SearchSpace, place: Float64Array): readonly boolean[] {
  return pointAt(space, place).map((value) => value !== undefined);
}
