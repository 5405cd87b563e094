import type { GridDemand } from "./adaptive-grid.ts";
import type { RateTerms } from "./rate-kernel.ts";
import type { RateTables } from "./rate-tables.ts";

/** A rate for each flow, or one for all of them together. */
export type ControlMode = "per_flow" | "blanket";

/** Name of the one flow that a blanket rate controls. */
export const BLANKET = "__blanket__";

/** One regulation, ready to be scored at any rates. */
export interface RateModel {
  readonly tables: RateTables;
  /** Flows that have a rate of their own, in the order of the tables. */
  readonly flowIds: readonly string[];
  /** Entrants of each of these. */
  readonly entrants: readonly number[];
  /** Entrants of the flows as given, also when one rate holds for all. */
  readonly entrantsByFlow: ReadonlyMap<string, number>;
  readonly gridDemand: GridDemand;
  /** Id of each flight of the tables. */
  readonly flightIds: readonly string[];
  /** The terms of a score under their names, priced. */
  readonly components: (terms: RateTerms) => Readonly<Record<string, number>>;
}

/** Turns tasks of one kind of semantics into models. */
export interface RateModelSource<Task> {
  /** Tasks with the same key share scores and baseline. */
  readonly key: (task: Task) => string;
  readonly model: (task: Task) => RateModel;
  readonly flowCount: (task: Task) => number;
}
