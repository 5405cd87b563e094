import { random } from "@coppice/engine/evaluator";
import { contextHash, type KeyedCandidate, keyed } from "../candidate.ts";
import type { CouncilSetup, Seat } from "../council-setup.ts";
import type { Round } from "./council-round.ts";
import { personaConsultation } from "./persona-prompt.ts";

/** A round as it is going to be asked. */
export interface Agenda {
  readonly round: number;
  readonly seats: readonly Seat[];
  /** Model per seat. */
  readonly models: readonly string[];
  /** Candidate per seat. */
  readonly asked: readonly KeyedCandidate[];
  readonly context: string;
}

/** The round after `earlier`: who sits in it, on which models, asked what. */
export function agendaOf(setup: CouncilSetup, seats: readonly Seat[], earlier: readonly Round[]): Agenda {
  const round = earlier.length + 1;
  const models = dealModels(seats, setup.models, { seed: setup.seed, round });
  const asked = seats.map((seat, i) => keyed(personaConsultation(setup, seat, models[i], earlier), "statement"));
  return { round, seats, models, asked, context: contextHash(asked) };
}

/**
 * The model of each seat in a round: the pool is shuffled by seed and round and dealt in turn, again from its
 * beginning when there are more seats. A persona that has its own model keeps it.
 */
export function dealModels(
  seats: readonly Pick<Seat, "model">[],
  pool: readonly string[],
  { seed, round }: { readonly seed: number; readonly round: number },
): string[] {
  if (pool.length === 0) throw new RangeError("there must be at least one model to deal");
  const shuffled = random(seed).at("models").at(round).shuffle(pool);
  let next = 0;
  return seats.map(({ model }) => model ?? shuffled[next++ % shuffled.length]);
}
