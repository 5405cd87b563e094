import type { Regulation } from "../network/regulation.ts";
import type { HotRun } from "./hot-hours.ts";
import { LEAST_BINS, RATIOS, type RegulationSampler } from "./regulation-sampler.ts";

/** A fixed list of regulations at a hotspot: flow sets × two windows × rates around the demand. */
export function regulationMenu(hot: HotRun, sampler: RegulationSampler): Regulation[] {
  const { volume } = hot;
  const windows = [
    sampler.window(hot.fromBin, hot.toBin),
    sampler.window(hot.fromBin - 2, Math.max(hot.toBin + 2, hot.fromBin - 2 + LEAST_BINS)),
  ];
  return windows.flatMap(({ fromBin, toBin }) => {
    const counts = sampler.entrants(volume, fromBin, toBin);
    const sets = flowSets(counts);
    return sets.flatMap((flows) =>
      RATIOS.map((ratio) => {
        const ratePerHour = sampler.rateFor(flows, counts, toBin - fromBin, ratio);
        return { volume, fromBin, toBin, flows, ratePerHour };
      }),
    );
  });
}

/** All flows with flights, each alone, and the largest two, three, … together: at most eleven sets. */
function flowSets(counts: Float64Array): number[] {
  const flows = [...counts.keys()].filter((flow) => counts[flow] > 0).sort((a, b) => counts[b] - counts[a] || a - b);
  const sets = new Set(flows.map((flow) => 1 << flow));
  let together = 0;
  for (const flow of flows) {
    together |= 1 << flow;
    sets.add(together);
  }
  return [...sets].slice(0, 11);
}
