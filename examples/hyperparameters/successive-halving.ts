import { type Outcome, type Proposal, random, type Search } from "@coppice/engine";
import type { Hyperparameters } from "./network.ts";
import type { Training } from "./train.ts";

export interface HalvingOptions {
  readonly seed: number;
  /** Configurations in the first rung. */
  readonly configurations: number;
  /** Each rung keeps one in `factor` and trains it `factor` times as long. */
  readonly factor: number;
  readonly firstEpochs: number;
}

export interface Contender {
  /** Number of the configuration, in the order they were drawn. */
  readonly id: number;
  readonly parameters: Hyperparameters;
  /** Share of validation points it gets wrong; infinite when training failed. */
  readonly error: number;
}

export interface Halving {
  readonly best: Contender;
  /** Per rung, the epochs and the best error. */
  readonly rungs: readonly { readonly epochs: number; readonly trained: number; readonly bestError: number }[];
}

/**
 * Successive halving: train many random configurations a little, keep the best, train them longer, and so on.
 * A rung is a barrier: who goes on is decided when all of its trainings are told, so the search waits for them.
 */
export function successiveHalving(options: HalvingOptions): Search<Training, number, Halving> {
  const { seed, configurations, factor, firstEpochs } = options;
  const draws = random(seed).at("configurations");
  let rung: Contender[] = Array.from({ length: configurations }, (_, id) => ({
    id,
    parameters: drawParameters(draws.at(id)),
    error: Number.POSITIVE_INFINITY,
  }));
  let epochs = firstEpochs;
  let asked = 0;
  let told = 0;
  let finished = false;
  const rungs: { epochs: number; trained: number; bestError: number }[] = [];

  const promote = () => {
    // Sorted by error, equal ones by number: the same survivors whatever order trainings finished in.
    rung = rung.toSorted((a, b) => (a.error === b.error ? a.id - b.id : a.error < b.error ? -1 : 1));
    rungs.push({ epochs, trained: rung.length, bestError: rung[0].error });
    if (rung.length === 1) {
      finished = true;
      return;
    }
    rung = rung.slice(0, Math.max(1, Math.floor(rung.length / factor)));
    epochs *= factor;
    asked = 0;
    told = 0;
  };

  return {
    ask(): Proposal<Training> {
      if (finished) return { kind: "done" };
      if (asked === rung.length) return { kind: "wait" };
      const { id, parameters } = rung[asked++];
      return { kind: "candidate", candidate: { parameters, epochs }, key: `configuration-${id}/epochs-${epochs}` };
    },
    tell(outcome: Outcome<number>): void {
      // A training that failed is information: that configuration goes last.
      rung[told] = { ...rung[told], error: outcome.ok ? outcome.value : Number.POSITIVE_INFINITY };
      told++;
      if (told === rung.length) promote();
    },
    result: () => ({ best: rung[0], rungs }),
    progress: () => {
      const last = rungs.at(-1);
      return {
        levels: [{ name: `Trainings of ${epochs} epochs`, done: told, total: rung.length }],
        ...(last === undefined ? {} : { best: last.bestError }),
      };
    },
  };
}

function drawParameters(stream: ReturnType<typeof random>): Hyperparameters {
  return {
    // Logarithmic: 0.003 to 30 and 1e-6 to 1e-2. Large learning rates ruin some trainings, as they do in life.
    learningRate: 0.003 * 10_000 ** stream.uniform(),
    hidden: stream.integer(4, 32),
    weightDecay: 1e-6 * 10_000 ** stream.uniform(),
    initialScale: 0.2 + 1.8 * stream.uniform(),
  };
}
