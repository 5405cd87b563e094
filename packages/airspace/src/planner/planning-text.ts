import { isAbsolute, relative, sep } from "node:path";
import { counted, formatCount, right, tableText } from "@coppice/engine/display";
import { scoreJson } from "../answers/score-answer.ts";
import { frontJson, frontText } from "../front/front-answer.ts";
import { capacityOrigin } from "../instance/capacity-origin.ts";
import type { Instance } from "../instance/instance.ts";
import { findHotspots } from "../network/hotspots.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";
import { type Robustness, robustnessText } from "../robust/robustness.ts";
import type { Planning } from "./make-plan.ts";
import type { PlanningResult } from "./planning-run.ts";

/** Where the plan and its report are written. */
interface Written {
  readonly plan: string;
  readonly report: string;
  /** Of a robust plan: the one for the forecast alone. */
  readonly plain?: string;
  /** The folder of a front. */
  readonly front?: string;
}

/** What a search for a plan found, as data: the plan in ids, names and times, what it costs and how it was searched for. */
export function planningJson(instance: Instance, weights: Weights, result: PlanningResult, robustness?: Robustness) {
  const { best, plain: _, front, ...searched } = { plain: undefined, front: undefined, ...result };
  if (best === undefined) return { instance: instance.name, weights, result: searched };
  const { lines, ...cost } = scoreJson(instance, best.plan, weights);
  // The shape of a tree is for the page.
  const { tree: _tree, ...found } = best;
  const robust = robustness === undefined ? {} : { robustness };
  const points = front === undefined ? {} : { front: frontJson(front) };
  return {
    ...cost,
    capacityFrom: capacityOrigin(instance),
    ...robust,
    ...points,
    result: { ...searched, best: { ...found, plan: lines } },
  };
}

/** What a search for a plan found: before and after, what was searched, and where it is written. */
export function planningText(
  instance: Instance,
  weights: Weights,
  result: PlanningResult,
  written: Written,
  robustness?: Robustness,
): string {
  const { best } = result;
  if (best === undefined) return failedText(result);
  const [without, withPlan] = [[], best.plan].map((plan) => scoreFromScratch(instance, plan, weights));
  const hotspots = [without, withPlan].map(({ hourCount }) => findHotspots(instance, hourCount).length);
  if (hotspots[0] === 0) return `${instance.name} has no hotspots: the empty plan is the best one`;
  const row = (name: string, before: number, after: number) => [
    name,
    figure(before),
    figure(after),
    before === 0 || after === before
      ? ""
      : `${after < before ? "" : "+"}${(((after - before) / before) * 100).toFixed(0)} %`,
  ];
  const delayed = withPlan.delayMinutes.reduce((count, minutes) => (minutes > 0 ? count + 1 : count), 0);
  const table = tableText(
    [instance.name, ...right("without", "with the plan", "change")],
    [
      row("network objective J", without.score.objective, withPlan.score.objective),
      row("flights above capacity", without.score.exceedance, withPlan.score.exceedance),
      row("hotspots", hotspots[0], hotspots[1]),
      row("minutes of delay", 0, withPlan.score.delayMinutes),
      row("flights delayed", 0, delayed),
      row("regulations", 0, best.plan.length),
    ],
  );
  return [
    table,
    "",
    ...(robustness === undefined ? [] : [robustnessText(robustness), ""]),
    ...("front" in result ? [frontText(instance, weights, result.front), ""] : []),
    searchedText(result),
    ...telemetryLines(best),
    `plan    ${fromHere(written.plan)}`,
    ...(written.plain === undefined ? [] : [`plain   ${fromHere(written.plain)}`]),
    ...(written.front === undefined ? [] : [`front   ${fromHere(written.front)}`]),
    `report  ${fromHere(written.report)}`,
  ].join("\n");
}

function failedText(result: PlanningResult): string {
  if ("roots" in result) return `every root failed: ${result.roots.map(({ failure }) => failure).join("; ")}`;
  const failures = result.rounds.flatMap(({ walkers }) => walkers.map(({ failure }) => failure));
  return `every walker failed: ${[...new Set(failures)].join("; ")}`;
}

/** How the best plan was searched for, in one line. */
function searchedText(result: PlanningResult): string {
  const { evaluations, treeEvaluations, treeNodes } = result;
  const share = Math.round((100 * treeEvaluations) / Math.max(1, evaluations));
  const trees = treeNodes === 0 ? "" : `; ${share} % in trees of ${formatCount(treeNodes)} nodes`;
  const evaluated = `${formatCount(evaluations)} plans evaluated`;
  if ("roots" in result) {
    const { roots, bestRoot } = result;
    const failed = roots.filter(({ failure }) => failure !== undefined).length;
    const dropped = failed === 0 ? "" : `, ${failed} of them dropped`;
    return `${evaluated} in ${counted(roots.length, "root")}${dropped}${trees}; the best is root ${bestRoot}'s`;
  }
  const { walkers, rounds, bestAt } = result;
  const lost = rounds.reduce(
    (sum, round) => sum + round.walkers.filter(({ failure }) => failure !== undefined).length,
    0,
  );
  const refilled = lost === 0 ? "" : `, ${counted(lost, "segment")} lost`;
  const found = bestAt === undefined ? "" : `; the best is walker ${bestAt.walker}'s of round ${bestAt.round}`;
  const twice =
    "front" in result
      ? ` for each of ${result.front.length} prices`
      : "plain" in result
        ? ", and as many for the forecast alone"
        : "";
  return `${evaluated} by ${counted(walkers, "walker")} in ${counted(rounds.length, "round")}${refilled}${twice}${trees}${found}`;
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
export function fromHere(path: string): string {
  const typed = isAbsolute(path) ? relative(process.cwd(), path) : path;
  return typed === "" || typed.split(sep)[0] === ".." ? path : typed;
}
