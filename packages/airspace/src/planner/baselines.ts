import type { Random } from "@coppice/engine";
import type { PlanEvaluator } from "../network/kernel/plan-evaluator.ts";
import { hasDuplicate, type Regulation } from "../network/regulation.ts";
import type { HotRun } from "../proposals/hot-hours.ts";
import { LEAST_BINS, RATIOS, type RegulationSampler } from "../proposals/regulation-sampler.ts";
import type { ScoredPlan } from "./anneal-plan.ts";

/** The best of plans drawn at random: 1 to 12 regulations at the day's hotspots. */
export function drawPlans(
  evaluator: PlanEvaluator,
  sampler: RegulationSampler,
  start: ScoredPlan,
  evaluations: number,
  random: Random,
): ScoredPlan {
  const lastEvaluation = evaluator.evaluations + evaluations;
  let best = start;
  while (evaluator.evaluations < lastEvaluation) {
    const lines = Array.from({ length: random.integer(1, 12) }, () => sampler.draw(random));
    const plan = lines.filter((line) => line !== undefined);
    if (plan.length === 0) break;
    if (hasDuplicate(plan)) continue;
    const { objective } = evaluator.evaluate(plan);
    if (objective < best.objective) best = { plan, objective };
  }
  evaluator.discard();
  return best;
}

/**
 * Adds the best regulation of a fixed menu until nothing helps. `worst` looks at the worst hotspot and, where nothing
 * helps, at the next one; `all` looks at every hotspot before each line, with as large a menu as the budget allows.
 */
export function greedyPlan(
  evaluator: PlanEvaluator,
  sampler: RegulationSampler,
  start: ScoredPlan,
  evaluations: number,
  which: "worst" | "all",
): ScoredPlan {
  const lastEvaluation = evaluator.evaluations + evaluations;
  // One is kept back for adding the line that was chosen.
  const left = () => evaluator.evaluations < lastEvaluation - 1;
  const hopeless = new Set<string>();
  let current = start;
  for (;;) {
    const hotspots = sampler
      .hotspots()
      .filter((hot) => !hopeless.has(spot(hot)))
      .toSorted((a, b) => b.excess - a.excess);
    if (hotspots.length === 0 || !left()) break;
    const looked = which === "worst" ? hotspots.slice(0, 1) : hotspots;
    const each = which === "worst" ? Number.POSITIVE_INFINITY : Math.ceil(evaluations / (12 * hotspots.length));
    const best = bestLine(looked, each);
    if (best === undefined) {
      if (which === "all") break;
      hopeless.add(spot(looked[0]));
      continue;
    }
    const plan = [...current.plan, best];
    const { objective } = evaluator.evaluate(plan);
    evaluator.keep();
    current = { plan, objective };
  }
  evaluator.discard();
  return current;

  /** The line that helps most, if any does. */
  function bestLine(hotspots: readonly HotRun[], each: number): Regulation | undefined {
    let best: Regulation | undefined;
    let least = current.objective;
    for (const hot of hotspots) {
      const menu = thinned(regulationMenu(hot, sampler), each);
      for (const line of menu) {
        if (!left()) return best;
        const plan = [...current.plan, line];
        if (hasDuplicate(plan)) continue;
        const { objective } = evaluator.evaluate(plan);
        if (objective >= least) continue;
        least = objective;
        best = line;
      }
    }
    return best;
  }
}

function thinned<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, at) => items[Math.floor(((at + 0.5) * items.length) / most)]);
}

function spot({ volume, fromBin, toBin }: HotRun): string {
  return `${volume} ${fromBin} ${toBin}`;
}

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
