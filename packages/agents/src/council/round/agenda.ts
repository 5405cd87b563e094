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
  const models = dealModels(seats, setup.models, { seed: setup.seed, round }).map(({ model }) => model);
  const info = earlier.flatMap((past) => past.info);
  const library = setup.library.map(({ name }) => name);
  const context = { proposal: setup.proposal, library, round, earlier, info };
  const asked = seats.map((seat, i) =>
    keyed(personaConsultation(seat, { model: models[i] ?? "", ...setup.tuning }, context), "statement"),
  );
  return { round, seats, models, asked, context: contextHash(asked) };
}

export interface Dealt {
  readonly persona: string;
  readonly model: string;
}

/**
 * Gives every persona a model for a round: the pool is shuffled by seed and round and dealt in turn, again from its
 * beginning when there are more personas. A persona with a model of its own keeps it.
 */
export function dealModels(
  personas: readonly { readonly name: string; readonly model?: string | undefined }[],
  pool: readonly string[],
  { seed, round }: { readonly seed: number; readonly round: number },
): Dealt[] {
  if (pool.length === 0) throw new RangeError("there must be at least one model to deal");
  const shuffled = random(seed).at("models").at(round).shuffle(pool);
  let next = 0;
  return personas.map(({ name, model }) => ({
    persona: name,
    model: model ?? (shuffled[next++ % shuffled.length] as string),
  }));
}
