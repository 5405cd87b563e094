import { isTold, type Sampler, type SamplerSetting, type Told, type Trial } from "./trial.ts";

/** How far a value moves, as a part of its range: one of these is drawn. */
const LENGTHS = [0.3, 0.1, 0.03] as const;
/** How often a value is drawn from its whole range instead. */
const ANEW = 0.3;
/** How often one more parameter moves along. */
const ALONG = 0.5;

/**
 * Steps from the best point so far: the parameters take turns, each moves a little, far, or anywhere, and some others move
 * along by chance. Learns nothing but where the best is, so it suits rugged functions with few trials for each parameter.
 */
export function stepsSampler({ space, start }: SamplerSetting): Sampler {
  const { parameters } = space;
  let turn = 0;
  return {
    next(trials, draws) {
      const from = bestOf(trials)?.place ?? start;
      if (from === undefined) return Float64Array.from(parameters, () => (trials.length === 0 ? 0.5 : draws.uniform()));
      const moved = new Set([turn++ % parameters.length]);
      while (draws.uniform() < ALONG) moved.add(draws.integer(0, parameters.length - 1));
      const place = Float64Array.from(from);
      for (const d of moved) {
        const anywhere = parameters[d].domain.kind === "choice" || draws.uniform() < ANEW;
        place[d] = anywhere ? draws.uniform() : inside(place[d] + draws.choice(LENGTHS) * draws.normal());
      }
      return place;
    },
  };
}

/** The best trial; of equal ones the earlier. */
function bestOf(trials: readonly Trial[]): Told | undefined {
  let best: Told | undefined;
  for (const trial of trials)
    if (isTold(trial) && (best === undefined || trial.values[0] < best.values[0])) best = trial;
  return best;
}

/** What steps over an end comes back. */
function inside(place: number): number {
  return Math.min(1, Math.max(0, place < 0 ? -place : place > 1 ? 2 - place : place));
}
