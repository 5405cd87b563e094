import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import {
  type PublishedWeights,
  publishedWeightsShape,
  weightsOfPublished,
} from "../src/published/scoring/published-weights.ts";

/** An instance and its results as computed by the published planner; see the fixtures' own conventions. */
export interface GoldenFile {
  readonly name: string;
  readonly instance: {
    readonly time_bin_minutes: number;
    readonly num_time_bins: number;
  };
  readonly discovery_config?: GoldenDiscovery;
  readonly hotspot_segments: readonly Record<string, unknown>[];
  readonly hotspot_candidates?: readonly GoldenCandidate[];
  readonly scheduler_cases?: readonly SchedulerCase[];
  readonly score_cases: readonly ScoreCase[];
  readonly rate_finder_cases: readonly RateFinderCase[];
  readonly plan_objective_cases?: readonly PlanObjectiveCase[];
}

interface GoldenDiscovery {
  readonly threshold: number;
  readonly top_hotspots: number;
  readonly top_flows: number;
  readonly min_flights_per_flow: number;
  readonly max_flights_per_flow: number;
  readonly leiden_params: { readonly threshold: number };
  readonly direction_opts: { readonly mode: "none" | "coord_cosine" };
}

interface GoldenCandidate {
  readonly control_volume_id: string;
  readonly window_bins: readonly [number, number];
  readonly candidate_flow_ids: readonly string[];
  readonly mode: string;
  readonly hotspot_prior: number;
  readonly metadata: {
    readonly flow_to_flights: Record<string, readonly string[]>;
    readonly flow_proxies: Record<string, readonly number[]>;
  };
}

interface SchedulerCase {
  readonly label: string;
  readonly impl: "safespill" | "plain";
  readonly flights_by_flow: Record<string, readonly (readonly [string, string | number])[]>;
  readonly n: Record<string, SparseVector>;
  readonly options: { readonly spill_mode?: string; readonly release_rate_for_spills?: number };
  readonly delays_min: Record<string, number>;
  readonly realised_start: Record<string, string | { readonly bin: number }>;
}

type GoldenRate = number | "inf";
export type SparseVector = Record<string, number>;
export type Runs = readonly (readonly [number, number])[];

export interface ScoreCase {
  readonly label: string;
  readonly control_volume_id: string;
  readonly window_bins: readonly [number, number];
  readonly mode: "per_flow" | "blanket";
  readonly flows: Record<string, readonly string[]>;
  readonly weights_override: Record<string, number>;
  /** Cells that matter besides control volume × window. */
  readonly ripple_cells?: readonly (readonly [volume: string, bin: number])[];
  readonly rates: Record<string, GoldenRate> | null;
  readonly entrants: Record<string, readonly (readonly [string, string, number])[]>;
  readonly sched_fids: readonly string[];
  readonly demand: Record<string, SparseVector>;
  readonly n: Record<string, SparseVector>;
  readonly beta_runs: Record<string, Runs>;
  readonly gamma_runs: Record<string, Runs>;
  readonly alpha_runs: Record<string, Runs>;
  readonly delays_min: Record<string, number>;
  readonly realised_start: Record<string, string>;
  readonly occupancy: Record<string, SparseVector>;
  readonly J_total: number;
  readonly components: Record<string, number>;
}

export interface RateFinderCase {
  readonly label: string;
  readonly control_volume_id: string;
  readonly window_bins: readonly [number, number];
  readonly mode: "per_flow" | "blanket";
  readonly flows: Record<string, readonly string[]>;
  readonly config: Record<string, unknown> & { readonly rate_grid?: readonly GoldenRate[] };
  readonly rates: GoldenRate | Record<string, GoldenRate>;
  readonly delta_j: number;
  readonly diagnostics: Record<string, unknown>;
  readonly second_call: Record<string, unknown>;
}

interface PlanObjectiveCase {
  readonly label: string;
  readonly plan: readonly {
    readonly control_volume_id: string;
    readonly window_bins: readonly [number, number];
    readonly flow_ids: readonly string[];
    readonly mode: "per_flow" | "blanket";
    readonly committed_rates: number | Record<string, number>;
  }[];
  readonly final: Record<string, unknown>;
  readonly system: Record<string, unknown>;
}

const folder = new URL("./fixtures/golden/", import.meta.url);

/** Every file in the folder: one that is added there is tested like the others. */
export const goldenFiles: readonly GoldenFile[] = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file) => ({ ...JSON.parse(goldenText(basename(file, ".json"))), name: basename(file, ".json") }) as GoldenFile);

export function goldenText(name: string): string {
  return readFileSync(new URL(`${name}.json`, folder), "utf8");
}

/** A sparse vector in full. */
export function dense(vector: SparseVector | undefined, length: number): number[] {
  return Array.from({ length }, (_, i) => vector?.[i] ?? 0);
}

/** Seconds since the epoch of a zone-less UTC time. */
export function epochSecond(iso: string): number {
  return Date.parse(`${iso}Z`) / 1000;
}

/** The zone-less UTC text of a time. */
export function isoText(epochSecond: number): string {
  return new Date(epochSecond * 1000).toISOString().slice(0, 19);
}

/** A run-length vector in full. */
export function expand(runs: Runs): number[] {
  return runs.flatMap(([value, count]) => new Array<number>(count).fill(value));
}

/** Numbers equal within 1e-6, everything else exactly; a key missing on either side is a difference. */
export function assertClose(actual: unknown, expected: unknown, where = "value"): void {
  if (typeof expected === "number" && typeof actual === "number") {
    const near = Object.is(actual, expected) || Math.abs(actual - expected) <= 1e-6;
    assert.ok(near, `${where}: ${actual}, should be ${expected}`);
  } else if (typeof expected === "object" && expected !== null && typeof actual === "object" && actual !== null) {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), `${where}: keys`);
    for (const [key, value] of Object.entries(expected)) {
      assertClose((actual as Record<string, unknown>)[key], value, `${where}.${key}`);
    }
  } else assert.equal(actual, expected, where);
}

/** Weights under their names here. */
export function weightsOf(published: Record<string, number>): Partial<PublishedWeights> {
  return weightsOfPublished(publishedWeightsShape.parse(published));
}
