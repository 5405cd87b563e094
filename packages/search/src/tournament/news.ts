import type { RunEvent } from "@coppice/engine";
import type { Entry, Round } from "./rounds.ts";

/** What happens in a tournament; each kind is told as part of the run's `told` events. */
export type TournamentNews =
  | {
      readonly kind: "best";
      readonly pass: number;
      readonly parameter: string;
      readonly forHorizon: string;
      readonly entry: Entry;
      readonly objective: number | null;
    }
  | { readonly kind: "failed"; readonly parameter: string; readonly entry: Entry; readonly message: string }
  /** A parameter's round is over; `round` is its place among the result's rounds. */
  | (Pick<Round, "pass" | "index" | "parameter"> & {
      readonly kind: "round";
      readonly round: number;
      readonly configurations: number;
      /** Horizons that took over another configuration. */
      readonly adopted: readonly string[];
      readonly says: string;
    })
  | { readonly kind: "pass"; readonly pass: number; readonly frozen: readonly string[]; readonly says: string };

/** The news in an event of a tournament's run. */
export function tournamentNews(event: RunEvent): readonly TournamentNews[] {
  // Cast: a run's news are those of its search.
  return event.type === "told" ? ((event.news ?? []) as readonly TournamentNews[]) : [];
}
