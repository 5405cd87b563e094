import { contextHash, type Keyed, keyed } from "./candidate.ts";
import type { Round } from "./council-record.ts";
import { dealModels } from "./deal-models.ts";
import { personaConsultation } from "./persona-prompt.ts";
import type { CouncilSetup, Seat } from "./setup.ts";

/** A round as it is going to be asked. */
export interface RoundPlan {
  readonly round: number;
  readonly seats: readonly Seat[];
  /** Model per seat. */
  readonly models: readonly string[];
  /** Candidate per seat. */
  readonly asked: readonly Keyed[];
  readonly context: string;
}

/** Plans the round after `earlier`: who sits in it, on which models, asked what. */
export function planRound(setup: CouncilSetup, seats: readonly Seat[], earlier: readonly Round[]): RoundPlan {
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
