import type { BinWindow } from "../../instance/instance.ts";
import type { RateFinding } from "../../rate-search/rate-finder.ts";
import type { ControlMode } from "../../rate-search/rate-model.ts";

/** A rate as published files write it. */
type PublishedRate = number | "inf";

/** A finding under the keys of the published diagnostics; times are left out, being different in every run. */
export interface PublishedFinding {
  readonly rates: PublishedRate | Readonly<Record<string, PublishedRate>>;
  readonly delta_j: number;
  readonly diagnostics: Readonly<Record<string, unknown>>;
}

/** Writes a finding down as the published planner does; `undefined` is a task without flows. */
export function publishedFinding(
  place: { readonly volumeId: string; readonly window: BinWindow; readonly mode: ControlMode },
  finding: RateFinding | undefined,
): PublishedFinding {
  const where = { mode: place.mode, control_volume_id: place.volumeId, window_bins: place.window };
  if (finding === undefined) {
    const rates = place.mode === "blanket" ? "inf" : {};
    return { rates, delta_j: 0, diagnostics: { ...where, reason: "no_flows" } };
  }
  const { baseline, final } = finding;
  const finalDelays = [...final.delayMinutes.values()];
  const rates = Object.fromEntries(finding.flowIds.map((id, flow) => [id, publishedRate(finding.rates[flow])]));
  return {
    rates: place.mode === "blanket" ? publishedRate(finding.rates[0]) : rates,
    delta_j: finding.deltaJ,
    diagnostics: {
      ...where,
      passes_ran: finding.passesRan,
      pass_improvements: finding.passImprovements,
      eval_calls: finding.evaluations,
      cache_hits: finding.cacheHits,
      baseline_objective: baseline.objective,
      baseline_components: baseline.components,
      final_objective: finding.objective,
      final_components: final.components,
      delta_j: finding.deltaJ,
      rate_grid: finding.grid.map(publishedRate),
      entrants_by_flow: Object.fromEntries(finding.entrantsByFlow),
      per_flow_history: Object.fromEntries(
        [...finding.history].map(([flow, deltas]) => [flow, Object.fromEntries(deltas)]),
      ),
      stopped_early: finding.stoppedEarly,
      fast_scorer_enabled: false,
      final_spill_T: final.spilled,
      final_in_window_releases: final.inWindowReleases,
      final_nonzero_delay_count: finalDelays.filter((minutes) => minutes > 0).length,
      final_max_delay_min: finalDelays.reduce((most, minutes) => Math.max(most, minutes), 0),
      baseline_delays_size: baseline.delayMinutes.size,
      final_delays_min: Object.fromEntries(final.delayMinutes),
      aggregate_delays_size: final.delayMinutes.size,
      baseline_delays_min: Object.fromEntries(baseline.delayMinutes),
    },
  };
}

function publishedRate(rate: number): PublishedRate {
  return rate < Number.POSITIVE_INFINITY ? rate : "inf";
}
