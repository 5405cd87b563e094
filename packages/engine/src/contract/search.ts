import type { Outcome } from "./outcome.ts";

/** What a search says when it is asked. */
export type Proposal<Candidate> =
  | { readonly kind: "candidate"; readonly candidate: Candidate; readonly key: string }
  /** Speculation that is no longer wanted: frees the ask's slot at once. */
  | { readonly kind: "withdraw"; readonly ask: number }
  /** Ask me again after the next tell. */
  | { readonly kind: "wait" }
  /** Whatever is still out is aborted; to receive last outcomes, wait until they are told. */
  | { readonly kind: "done" };

/**
 * Proposes candidates and learns from their outcomes. Knows nothing of time, workers or completion order.
 *
 * Asks are numbered 0, 1, 2, … in the order candidates are proposed.
 */
export interface Search<Candidate, Value, Result> {
  ask(): Proposal<Candidate>;
  /** Called once per candidate that was not withdrawn, always in the order they were asked. */
  tell(outcome: Outcome<Value>, ask: number): void;
  result(): Result;
  /** What people see while it runs; read by displays, never part of the digest. */
  progress?(): SearchProgress;
  /** What happened since it was last called; goes out with the next `told` event, never part of the digest. */
  news?(): readonly SearchNews[];
  /**
   * Why a value would be another one if it were evaluated again, because its evaluation met a clock; undefined for all
   * others. Such a value sets the D4 mark and is not evaluated again by a verification.
   */
  metClock?(value: Value): string | undefined;
  /** The tree it has grown, for pages; written beside the result, never part of the digest. */
  tree?(): SearchTree;
  /** What is wrong with a value that an evaluator returned, as half a line: it counts as a failure then. Looks at the value alone. */
  refuses?(value: unknown): string | undefined;
}

/** A search's own account of how far it is. Levels go from outer to inner (`Configs`, then `Horizons`). */
export interface SearchProgress {
  readonly levels?: readonly ProgressLevel[];
  /** Best value so far, in the search's own unit. */
  readonly best?: number;
  /** What its tasks count (`unit`): those told so far, and all that there will be, also those not asked yet. */
  readonly counted?: { readonly done: number; readonly total: number };
  /** Where it stands in a few lines of its own words, where levels do not say it. */
  readonly says?: readonly string[];
}

/** Something that happened in a search, for readers who know its kinds; plain and small, as events are. */
export interface SearchNews {
  readonly kind: string;
  /** One line of it for all other readers, if they should hear of it. */
  readonly says?: string;
}

/** One level of a search's work: how many of its steps are done. */
export interface ProgressLevel {
  readonly name: string;
  readonly done: number;
  readonly total: number;
}

/** A tree that a search has grown: the root first, every node after the one it is below. */
export interface SearchTree {
  readonly nodes: readonly SearchTreeNode[];
  /** Nodes that were visited least and are not listed. */
  readonly leftOut: number;
}

/** A node as reports show it. */
export interface SearchTreeNode {
  /** Place of the node above; null for the root. */
  readonly parent: number | null;
  /** What leads to it, in a few words. */
  readonly name: string;
  /** How likely it was to be right before anything was tried; null for the root. */
  readonly prior: number | null;
  readonly visits: number;
  /** Mean of the values found below; null when none was. */
  readonly value: number | null;
  /** On the way that is preferred. */
  readonly best: boolean;
}
