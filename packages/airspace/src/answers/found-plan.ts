import { binLabel } from "../instance/clock.ts";
import type { Instance } from "../instance/instance.ts";
import { flowSet, type Regulation } from "../network/regulation.ts";
import { planFileContent } from "../plan/plan-content.ts";
import type { RateFinding } from "../rate-search/rate-finder.ts";
import type { RatesReport } from "./find-rates.ts";

/**
 * The better of the found modes as a plan file: after the regulations already decided, in the form that `--plan` reads;
 * with reference semantics as the published planner exports it. Flows without a rate are left out.
 */
export function ratesPlan(report: RatesReport): object {
  const best = report.findings
    .filter((each): each is typeof each & { finding: RateFinding } => each.finding !== undefined)
    .toSorted((a, b) => a.finding.deltaJ - b.finding.deltaJ)
    .at(0);
  if (report.semantics === "reference") {
    return {
      time_bin_minutes: report.instance.binMinutes,
      plan: best === undefined ? [] : publishedLines(report, best),
    };
  }
  const { plan, weights } = report.decided;
  const found = best === undefined ? [] : networkLines(report, best);
  return planFileContent([...plan, ...found], report.instance, weights);
}

type Found = RatesReport["findings"][number] & { readonly finding: RateFinding };

function networkLines({ instance, volumeId, window }: RatesReport, { mode, finding }: Found): Regulation[] {
  const volume = instance.volumeIds.indexOf(volumeId);
  const names = instance.flowNames[volume];
  return finding.flowIds.flatMap((id, f): Regulation[] => {
    const ratePerHour = finding.rates[f];
    if (ratePerHour === Number.POSITIVE_INFINITY) return [];
    const flows = flowSet(mode === "blanket" ? names.keys() : [names.indexOf(id)]);
    return [{ volume, fromBin: window[0], toBin: window[1], flows, ratePerHour }];
  });
}

function publishedLines({ instance, volumeId, window }: RatesReport, { mode, finding }: Found): object[] {
  const rates = finding.flowIds
    .map((id, f) => [id, finding.rates[f]] as const)
    .filter(([, rate]) => rate < Number.POSITIVE_INFINITY);
  if (rates.length === 0) return [];
  const blanket = mode === "blanket";
  return [
    {
      control_volume_id: volumeId,
      window_bins: window,
      window_labels: labels(instance, window),
      mode,
      flow_ids: blanket ? [...finding.entrantsByFlow.keys()] : rates.map(([id]) => id),
      rates_per_flow: blanket ? null : Object.fromEntries(rates),
      blanket_rate: blanket ? rates[0][1] : null,
    },
  ];
}

function labels(instance: Instance, [from, to]: readonly [number, number]): { start: string; end: string } {
  return { start: binLabel(from, instance), end: binLabel(to - 1, instance) };
}
