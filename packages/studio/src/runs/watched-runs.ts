import { FailureNames } from "../views/failure-names.ts";
import { type KnownRun, WatchedRun } from "./watched-run.ts";

/** Runs kept in memory; beyond these the one that was looked at longest ago is read again when it is wanted. */
const MOST_KEPT = 32;

/** The runs that are being looked at, one reader for each however many look. */
export class WatchedRuns {
  readonly #names = new FailureNames();
  readonly #runs = new Map<string, WatchedRun>();

  /** The run in a directory; throws a UsageError when there is none. */
  get(directory: string): WatchedRun {
    const run = this.#runs.get(directory) ?? new WatchedRun(directory);
    this.#runs.delete(directory);
    this.#runs.set(directory, run); // the last one is the one looked at last
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= MOST_KEPT) break;
      this.#runs.delete(oldest);
    }
    return run;
  }

  /** Reads what is new in a run and says how it stands. */
  look(directory: string): KnownRun {
    const run = this.get(directory);
    run.catchUp();
    return this.#names.of(run.state(Date.now()));
  }
}
