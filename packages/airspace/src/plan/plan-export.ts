import { binLabel } from "../instance/clock.ts";
import type { Instance } from "../instance/instance.ts";
import { flowsOf, type Regulation } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import type { PlanningResult } from "../planner/planning-run.ts";
import type { DayClock } from "../published/scoring/day-clock.ts";
import type { Robustness } from "../robust/robustness.ts";

/** A found plan under the published names, as `readPlanFile` reads it back, and what it took to find it. */
export function planExport(
  instance: Instance,
  weights: Weights,
  result: PlanningResult,
  robustness?: Robustness,
): object {
  const { best, evaluations, actionCounts } = result;
  return {
    instance: instance.name,
    weights,
    // As `flow score` says it; a robust plan's own is a mean.
    objective: robustness?.robust.forecast ?? best?.score.objective ?? null,
    ...(robustness === undefined ? {} : { robustness }),
    commits: best?.plan.length ?? 0,
    stop_reason: best?.stopReason ?? "no_runs",
    stop_info: { evaluations, ...searchers(result) },
    action_counts: actionCounts,
    time_bin_minutes: instance.binMinutes,
    plan: (best?.plan ?? []).map((line) => exportedLine(line, instance)),
    ...uniqueEvaluations(result),
  };
}

/** How many different plans were evaluated at the end of an episode; what other searches evaluate twice, nobody counts. */
function uniqueEvaluations(result: PlanningResult): { readonly unique_evals?: number } {
  const counts = "roots" in result ? result.roots.flatMap(({ uniqueEvaluations: count }) => count ?? []) : [];
  return counts.length === 0 ? {} : { unique_evals: counts.reduce((sum, count) => sum + count, 0) };
}

/** How many searched, and what was dropped of it. */
function searchers(result: PlanningResult): object {
  if ("roots" in result) {
    const dropped = result.roots.flatMap(({ root, failure }) => (failure === undefined ? [] : [{ root, failure }]));
    return { roots: result.roots.length, ...(dropped.length === 0 ? {} : { dropped }) };
  }
  const { walkers, rounds } = result;
  const dropped = rounds.flatMap((of, round) =>
    of.walkers.flatMap(({ failure }, walker) => (failure === undefined ? [] : [{ round, walker, failure }])),
  );
  return { walkers, rounds: rounds.length, ...(dropped.length === 0 ? {} : { dropped }) };
}

/** One rate holds for all flows of a line. */
function exportedLine({ volume, fromBin, toBin, flows, ratePerHour }: Regulation, instance: Instance): object {
  return {
    control_volume_id: instance.volumeIds[volume],
    window_bins: [fromBin, toBin],
    window_labels: { start: labelOf(fromBin, instance), end: labelOf(toBin - 1, instance) },
    mode: "blanket",
    flow_ids: flowsOf(flows).map((flow) => instance.flowNames[volume][flow]),
    rates_per_flow: null,
    blanket_rate: ratePerHour,
  };
}

/** Label of a bin by the clock: a day need not begin at midnight. */
function labelOf(bin: number, instance: Pick<Instance, "start"> & DayClock): string {
  const start = new Date(instance.start);
  const sinceMidnight = start.getUTCHours() * 60 + start.getUTCMinutes();
  const clockBin = (bin + Math.round(sinceMidnight / instance.binMinutes)) % instance.binCount;
  return binLabel(clockBin, instance);
}
