import type { Round, Tournament, TournamentResult } from "@coppice/search";

/** A tuning ready to run: the search, what judges it, and what becomes of the result. */
export interface TuneJob<Result> {
  readonly tournament: Tournament<Result>;
  readonly evaluator: URL | string;
  readonly context: unknown;
  readonly shared?: Readonly<Record<string, SharedArrayBuffer>>;
  /** Digest of everything that was read; a run is not resumed on other inputs. */
  readonly inputs: string;
  /** Lines to say before it starts. */
  readonly notices: readonly string[];
  /** Horizons as people know them, by key. */
  readonly titles: Readonly<Record<string, string>>;
  /** What the objective is called. */
  readonly objective: string;
  /** Keeps what is known after a parameter. */
  readonly keep: (round: Round, standing: TournamentResult<Result>) => void;
  /** Writes winners and report. */
  readonly finish: (result: TournamentResult<Result>) => TuneOutcome;
}

interface TuneOutcome {
  /** Plain JSON. */
  readonly report: unknown;
  /** The same for people. */
  readonly text: string;
}
