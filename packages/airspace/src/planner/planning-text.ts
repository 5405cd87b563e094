import { isAbsolute, relative, sep } from "node:path";
import { formatCount, tableText } from "@coppice/engine/display";
import type { Instance } from "../instance/instance.ts";
import { findHotspots } from "../network/hotspots.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";
import type { Planning } from "./make-plan.ts";
import type { RootResult } from "./root-search.ts";

/** Where the plan and its report are written. */
interface Written {
  readonly plan: string;
  readonly report: string;
}

/** What a search for a plan found: before and after, what was searched, and where it is written. */
export function planningText(
  instance: Instance,
  weights: Weights,
  { best, bestRoot, evaluations, treeEvaluations, treeNodes, roots }: RootResult,
  written: Written,
): string {
  if (best === undefined) return `every root failed: ${roots.map(({ failure }) => failure).join("; ")}`;
  const [without, withPlan] = [[], best.plan].map((plan) => scoreFromScratch(instance, plan, weights));
  const hotspots = [without, withPlan].map(({ hourCount }) => findHotspots(instance, hourCount).length);
  if (hotspots[0] === 0) return `${instance.name} has no hotspots: the empty plan is the best one`;
  const row = (name: string, before: number, after: number) => [
    name,
    figure(before),
    figure(after),
    before === 0 ? "" : `${after < before ? "" : "+"}${(((after - before) / before) * 100).toFixed(0)} %`,
  ];
  const delayed = withPlan.delayMinutes.reduce((count, minutes) => (minutes > 0 ? count + 1 : count), 0);
  const table = tableText(
    [
      { title: instance.name },
      { title: "without", align: "right" },
      { title: "with the plan", align: "right" },
      { title: "change", align: "right" },
    ],
    [
      row("network objective J", without.score.objective, withPlan.score.objective),
      row("flights above capacity", without.score.exceedance, withPlan.score.exceedance),
      row("hotspots", hotspots[0], hotspots[1]),
      row("minutes of delay", 0, withPlan.score.delayMinutes),
      row("flights delayed", 0, delayed),
      row("regulations", 0, best.plan.length),
    ],
  );
  const share = Math.round((100 * treeEvaluations) / Math.max(1, evaluations));
  const failed = roots.filter(({ failure }) => failure !== undefined).length;
  return [
    table,
    "",
    `${formatCount(evaluations)} plans evaluated in ${roots.length} ${roots.length === 1 ? "root" : "roots"}${failed === 0 ? "" : `, ${failed} of them dropped`}; ${share} % in trees of ${formatCount(treeNodes)} nodes; the best is root ${bestRoot}'s`,
    ...telemetryLines(best),
    `plan    ${fromHere(written.plan)}`,
    `report  ${fromHere(written.report)}`,
  ].join("\n");
}

/** What episodes say of themselves; what single regulations were worth is not known while whole plans are searched. */
function telemetryLines({ episodes, stopReason }: Planning): string[] {
  const ended = `ended: ${stopReason.replaceAll("_", " ")}`;
  if (episodes === undefined) return [ended];
  const { episodes: played, terminalEvaluations, nodes, bestReward, planLength, commitGains } = episodes;
  const local = commitGains === undefined ? "n/a" : commitGains.map((gain) => figure(-gain)).join(", ") || "none";
  const counts = `${formatCount(played)} episodes, ${formatCount(terminalEvaluations)} evaluated at their end, ${formatCount(nodes)} nodes`;
  return [
    `${counts}; plan length ${planLength}, best reward ${figure(bestReward)} (J ${figure(-bestReward)}), local ΔJ ${local}; ${ended}`,
  ];
}

function figure(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : value.toFixed(1);
}

/** A path as one would type it here. */
function fromHere(path: string): string {
  const typed = isAbsolute(path) ? relative(process.cwd(), path) : path;
  return typed === "" || typed.split(sep)[0] === ".." ? path : typed;
}
