import { counted, right, tableText } from "@coppice/engine/display";
import { readInput } from "../import/input-text.ts";
import type { Instance } from "../instance/instance.ts";
import { chosenWeights, type PriceChoice } from "../network/chosen-weights.ts";
import { flowsOf, type Plan, type Regulation, sameRegulation } from "../network/regulation.ts";
import { type ScratchResult, scoreFromScratch } from "../network/score-from-scratch.ts";
import { defaultWeights, pricesText, samePrices, type Weights } from "../network/weights.ts";
import { type MinutesAt, minutesByOrigin } from "../plan/plan-account.ts";
import { type PlanFile, readPlanFile } from "../plan/plan-file.ts";
import { describedLine, mostFrom, ofAnotherDay } from "./plan-answers.ts";
import { figure } from "./score-answer.ts";

/** What `coppice flow compare` finds; `compare b a` is its mirror. */
export function comparePlans(a: string, b: string, instance: Instance, prices: PriceChoice) {
  const [first, second] = [a, b].map((path) => readPlanFile(readInput("plan", path), instance));
  const { weights, notices } = commonPrices(first, second, prices);
  const [resultA, resultB] = [first, second].map(({ plan }) => scoreFromScratch(instance, plan, weights));
  const described = (line: Regulation): string => describedLine(line, instance);
  const { same, changed, onlyA, onlyB } = pairLines(first.plan, second.plan);
  return {
    weights,
    notices: [...ofAnotherDay(a, first, instance), ...ofAnotherDay(b, second, instance), ...notices],
    a: { plan: a, score: resultA.score, only: onlyA.map(described) },
    b: { plan: b, score: resultB.score, only: onlyB.map(described) },
    same: same.map(described),
    changed: changed.map((pair) => ({ a: described(pair.a), b: described(pair.b) })),
    delta: resultB.score.objective - resultA.score.objective,
    waiting: {
      longerWithA: waitingLonger(instance, resultA, resultB),
      longerWithB: waitingLonger(instance, resultB, resultA),
    },
  };
}

/** Prices for both, whatever the order: those that are chosen, else the ones the plans agree on, else the usual ones. */
function commonPrices(a: PlanFile, b: PlanFile, prices: PriceChoice): { weights: Weights; notices: string[] } {
  const disagree = a.weights !== undefined && b.weights !== undefined && !samePrices(a.weights, b.weights);
  const weights = chosenWeights(prices, disagree ? defaultWeights : (a.weights ?? b.weights));
  const notice =
    "the plans were made for different prices; both are scored with the ones printed here (--weights to choose)";
  return { weights, notices: disagree ? [notice] : [] };
}

interface PairedLines {
  readonly same: readonly Regulation[];
  /** Lines of one volume that share hours and flows, most alike first. */
  readonly changed: readonly { readonly a: Regulation; readonly b: Regulation }[];
  readonly onlyA: readonly Regulation[];
  readonly onlyB: readonly Regulation[];
}

function pairLines(a: Plan, b: Plan): PairedLines {
  const same = a.filter((line) => b.some((there) => sameRegulation(line, there)));
  const [restA, restB] = [a, b].map((plan) => plan.filter((line) => !same.some((both) => sameRegulation(line, both))));
  const candidates = restA
    .flatMap((lineA, i) => restB.map((lineB, j) => ({ i, j, a: lineA, b: lineB, likeness: likeness(lineA, lineB) })))
    .filter((pair) => pair.likeness > 0)
    // Pairs with equal sums of places have no line in common, so their order does not matter: the mirror pairs alike.
    .sort((p, q) => q.likeness - p.likeness || p.i + p.j - (q.i + q.j));
  const changed: typeof candidates = [];
  for (const pair of candidates) {
    if (!changed.some(({ i, j }) => i === pair.i || j === pair.j)) changed.push(pair);
  }
  return {
    same,
    changed,
    onlyA: restA.filter((_, place) => !changed.some(({ i }) => i === place)),
    onlyB: restB.filter((_, place) => !changed.some(({ j }) => j === place)),
  };
}

/** 0 for lines that have nothing in common, 2 for the same volume, window and flows. */
function likeness(a: Regulation, b: Regulation): number {
  if (a.volume !== b.volume) return 0;
  const bins = Math.min(a.toBin, b.toBin) - Math.max(a.fromBin, b.fromBin);
  const flows = flowsOf(a.flows & b.flows).length;
  if (bins <= 0 || flows === 0) return 0;
  const allBins = Math.max(a.toBin, b.toBin) - Math.min(a.fromBin, b.fromBin);
  return bins / allBins + flows / flowsOf(a.flows | b.flows).length;
}

/** Whom a plan makes wait longer than a second one does: flights, minutes and where they depart. */
interface Waiting {
  readonly flights: number;
  readonly minutes: number;
  readonly origins: readonly MinutesAt[];
}

function waitingLonger(instance: Instance, here: ScratchResult, there: ScratchResult): Waiting {
  const extra = here.delayMinutes.map((minutes, f) => Math.max(0, minutes - there.delayMinutes[f]));
  return {
    flights: extra.reduce((count, minutes) => (minutes > 0 ? count + 1 : count), 0),
    minutes: extra.reduce((sum, minutes) => sum + minutes, 0),
    origins: minutesByOrigin(instance, extra),
  };
}

/** A comparison of two plans for people. */
export function comparisonText(comparison: ReturnType<typeof comparePlans>): string {
  const { a, b, delta, same, changed, waiting, weights } = comparison;
  const parts = [
    ["objective J", "objective"],
    ["exceedance", "exceedance"],
    ["delay, minutes", "delayMinutes"],
    ["regulations", "regulations"],
  ] as const;
  const table = tableText(
    ["", ...right(a.plan, b.plan)],
    parts.map(([title, part]) => [title, figure(a.score[part]), figure(b.score[part])]),
  );
  const verdict =
    delta === 0 ? "both cost the same" : `${delta < 0 ? b.plan : a.plan} is better by ${figure(Math.abs(delta))}`;
  const longer = (plan: string, { flights, minutes, origins }: Waiting): string => {
    return `longer with ${plan}: ${counted(flights, "flight")}, ${counted(minutes, "minute")}${mostFrom(origins)}`;
  };
  const only = [a, b].flatMap(({ plan, only: lines }) => [
    "",
    `only in ${plan}: ${lines.length === 0 ? "nothing" : ""}`.trimEnd(),
    ...lines.map((line) => `  ${line}`),
  ]);
  return [
    table,
    "",
    `${verdict}; prices: ${pricesText(weights)}`,
    longer(a.plan, waiting.longerWithA),
    longer(b.plan, waiting.longerWithB),
    "",
    `the same in both: ${counted(same.length, "regulation")}`,
    ...(changed.length === 0
      ? []
      : ["", "changed:", ...changed.flatMap((pair) => [`  ${pair.a}`, `    -> ${pair.b}`])]),
    ...only,
    "",
  ].join("\n");
}
