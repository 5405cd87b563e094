import type { Outcome, Proposal, Search } from "@coppice/engine";
import { random } from "@coppice/engine/evaluator";

/** What is minimised over, and for how long. */
export interface EvolutionOptions {
  readonly seed: number;
  readonly bounds: readonly (readonly [low: number, high: number])[];
  /** Points per generation; all of one can be evaluated at once. */
  readonly population: number;
  readonly generations: number;
}

/** The lowest value found, and where. */
export interface Evolved {
  readonly point: readonly number[];
  readonly value: number;
  readonly generations: number;
}

/** How far a mutation goes, drawn for each trial so that a small population does not freeze; and how many coordinates mutate. */
const STRIDE = { least: 0.5, most: 0.8 } as const;
const CROSSOVER = 0.8;

interface Member {
  readonly point: readonly number[];
  readonly value: number;
}

/**
 * Minimises by differential evolution (Storn and Price, 1997, best/1/bin): each member is challenged by best + F (b − c)
 * with coordinates crossed over, and the better one stays. A generation is a barrier: the search waits for all of it.
 */
export function differentialEvolution(options: EvolutionOptions): Search<readonly number[], number, Evolved> {
  const { bounds, population, generations } = options;
  const draws = random(options.seed).at("evolution");
  let members: Member[] = [];
  let trials: (readonly number[])[] = Array.from({ length: population }, (_, i) => {
    const stream = draws.at(0).at(i);
    return bounds.map(([low, high]) => low + (high - low) * stream.uniform());
  });
  let told: number[] = [];
  let asked = 0;
  let generation = 0;

  const best = () => members.reduce((a, b) => (b.value < a.value ? b : a));

  const select = () => {
    members = trials.map((point, i) => {
      const before = members[i];
      return before !== undefined && before.value <= told[i] ? before : { point, value: told[i] };
    });
    generation++;
    trials = members.map((member, i) => trial(member.point, i));
    told = [];
    asked = 0;
  };

  const trial = (point: readonly number[], index: number) => {
    const stream = draws.at(generation).at(index);
    const others = stream.shuffle(members.filter((_, i) => i !== index));
    const [from, b, c] = [best().point, others[0].point, others[1].point];
    const stride = STRIDE.least + (STRIDE.most - STRIDE.least) * stream.uniform();
    const always = stream.integer(0, bounds.length - 1);
    return point.map((own, d) => {
      const mutated = from[d] + stride * (b[d] - c[d]);
      const crossed = stream.uniform() < CROSSOVER || d === always;
      return crossed ? Math.min(bounds[d][1], Math.max(bounds[d][0], mutated)) : own;
    });
  };

  return {
    ask(): Proposal<readonly number[]> {
      if (generation === generations) return { kind: "done" };
      if (asked === population) return { kind: "wait" };
      const candidate = trials[asked];
      return { kind: "candidate", candidate, key: `${generation}/${asked++}: ${candidate.map((x) => x.toFixed(4))}` };
    },
    tell(outcome: Outcome<number>): void {
      told.push(outcome.ok ? outcome.value : Number.POSITIVE_INFINITY);
      if (told.length === population) select();
    },
    result: () => ({ ...best(), generations: generation }),
    progress: () => ({
      levels: [{ name: "Generations", done: generation, total: generations }],
      ...(generation === 0 ? {} : { best: best().value }),
    }),
  };
}
