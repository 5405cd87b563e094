import { formatCount, right, tableText } from "@coppice/engine/display";
import { csvText } from "@coppice/engine/files";
import type { Instance } from "../instance/instance.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import type { Weights } from "../network/weights.ts";
import { planFileContent } from "../plan/plan-content.ts";
import type { FrontPoint } from "./front-search.ts";

/** A point of the front as data, with the file that its plan is in. */
export function frontJson(front: readonly FrontPoint[]) {
  return front.map(({ delayMinute, score, onFront }) => ({
    delayMinutePrice: delayMinute,
    delayMinutes: score.delayMinutes,
    exceedance: score.exceedance,
    regulations: score.regulations,
    objective: score.objective,
    onFront,
    plan: planName(delayMinute),
  }));
}

function planName(delayMinute: number): string {
  return `front/price-${delayMinute}.json`;
}

/** The front as a table and as JSON, and the plan of each point with its prices, by name. */
export function frontFiles(instance: Instance, weights: Weights, front: readonly FrontPoint[]): Map<string, string> {
  const json = (data: object): string => `${JSON.stringify(data, undefined, 2)}\n`;
  const rows = frontJson(front);
  return new Map([
    ["front/front.json", json({ instance: instance.name, weights, front: rows })],
    [
      "front/front.csv",
      csvText(
        ["price_of_minute", "delay_minutes", "exceedance", "regulations", "objective", "on_front", "plan"],
        rows.map((row) => [
          row.delayMinutePrice,
          row.delayMinutes,
          row.exceedance,
          row.regulations,
          row.objective,
          String(row.onFront),
          row.plan,
        ]),
      ),
    ],
    ...front.map(
      ({ delayMinute, plan }) =>
        [planName(delayMinute), json(planFileContent(plan, instance, { ...weights, delayMinute }))] as const,
    ),
  ]);
}

/** The front for people: delay bought with exceedance, from no plan on. */
export function frontText(instance: Instance, weights: Weights, front: readonly FrontPoint[]): string {
  const { exceedance } = scoreFromScratch(instance, [], weights).score;
  const rows = frontJson(front).toReversed();
  const figures = ["price of a minute", "minutes of delay", "flights above capacity", "regulations", "J at that price"];
  return tableText(
    [...right(...figures), ""],
    [
      ["no plan", "0", formatCount(exceedance), "0", formatCount(exceedance), ""],
      ...rows.map((row) => [
        String(row.delayMinutePrice),
        formatCount(row.delayMinutes),
        formatCount(row.exceedance),
        formatCount(row.regulations),
        row.objective.toFixed(1),
        row.onFront ? "" : "beaten in both",
      ]),
    ],
  );
}
