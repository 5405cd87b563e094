import type { NetworkScore } from "../../network/network-score.ts";
import type { TreeShape } from "../plan-tree.ts";
import type { PlannerOptions } from "../planner-options.ts";
import type { PackedPlan } from "./packed-plan.ts";

/** A part of a walker's way: what its worker is told. */
export interface Segment {
  readonly round: number;
  readonly walker: number;
  /** A tree of plans is grown from the start, or the start is annealed. */
  readonly kind: "tree" | "annealing";
  /** Evaluations that may be used, the start's own included. */
  readonly evaluations: number;
  /** At its first and at its last evaluation; falls geometrically between them. */
  readonly temperature: { readonly first: number; readonly last: number };
  readonly start: PackedPlan;
  /** What all walkers remember together, as `SharedMemory` writes it. */
  readonly memory: string;
  /** Of the whole search. */
  readonly planner: PlannerOptions;
  /** Where a run scores plans in several ways. */
  readonly scoring?: Scoring;
}

/** How plans are scored, where it is not by the run's prices on the day as it is. */
export interface Scoring {
  /** The price of a minute of delay. */
  readonly delayMinute?: number;
  /** Over all draws of the weather that the worker was given. */
  readonly overDraws?: true;
}

/** What a segment's worker answers. */
export interface SegmentValue {
  readonly evaluations: number;
  readonly end: { readonly plan: PackedPlan; readonly objective: number };
  readonly best: { readonly plan: PackedPlan; readonly score: NetworkScore };
  /** Plans on the way, the first one first. */
  readonly passed: readonly PackedPlan[];
  /** Of a tree: its shape, and the lines of its plans. */
  readonly tree?: { readonly shape: TreeShape; readonly lines: PackedPlan };
  /** How often each kind of edit was tried. */
  readonly edits: Readonly<Record<string, number>>;
}
