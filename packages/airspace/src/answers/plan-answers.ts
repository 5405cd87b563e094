import { tableText } from "@coppice/engine/display";
import { readInput } from "../import/input-text.ts";
import { clockLabel } from "../instance/clock.ts";
import type { Instance } from "../instance/instance.ts";
import { flowsOf, type Plan, type Regulation, sameRegulation } from "../network/regulation.ts";
import { scoreFromScratch } from "../network/score-from-scratch.ts";
import { chosenWeights, type PriceChoice, type Weights } from "../network/weights.ts";
import { checkDelayGranularity, checkPlan } from "../plan/check-plan.ts";
import { explainPlan } from "../plan/plan-account.ts";
import { inspectPlanFile, readPlanFile } from "../plan/plan-file.ts";
import { figure } from "./score-answer.ts";

/** The plan that an option names, or the empty one, and the prices: those that are chosen, else the plan's, else the usual ones. */
export function chosenPlan(
  option: string,
  path: string | undefined,
  instance: Instance,
  prices: PriceChoice,
): { readonly plan: Plan; readonly weights: Weights } {
  const file = path === undefined ? undefined : readPlanFile(readInput(option, path), instance);
  return { plan: file?.plan ?? [], weights: chosenWeights(prices, file?.weights) };
}

/** What `coppice flow validate` finds. */
export function validatePlan(path: string, instance: Instance, published?: { readonly log: string | undefined }) {
  const file = readInput("plan", path);
  const inspected = inspectPlanFile(file, instance);
  const content: unknown = JSON.parse(file.text);
  const said = typeof content === "object" && content !== null && "unique_evals" in content ? content.unique_evals : 0;
  const checks = checkPlan(
    instance,
    inspected.plan,
    typeof said === "number" && said > 0 ? said : undefined,
    inspected,
  );
  if (published !== undefined) {
    checks.push(checkDelayGranularity(published.log === undefined ? undefined : readInput("run log", published.log)));
  }
  return {
    plan: path,
    regulations: inspected.plan.length,
    /** False if a regulation cannot be read at all. */
    readable: inspected.problems.length === 0,
    ok: checks.every(({ violations }) => violations.length === 0),
    checks,
  };
}

export function validationText({ plan, regulations, checks }: ReturnType<typeof validatePlan>): string {
  const lines = checks.flatMap(({ name, description, violations, total }) => [
    `${violations.length > 0 ? "violated" : total === 0 ? "skipped " : "ok      "}  ${name}: ${description}`,
    ...violations.map((violation) => `            ${violation}`),
  ]);
  return [`${plan}: ${regulations} regulations`, ...lines, ""].join("\n");
}

/** What `coppice flow compare` finds. Both plans are scored with the same prices: the first file's, unless given. */
export function comparePlans(a: string, b: string, instance: Instance, prices: PriceChoice) {
  const [first, second] = [a, b].map((path) => readPlanFile(readInput("plan", path), instance));
  const weights = chosenWeights(prices, first.weights ?? second.weights);
  const only = (plan: Plan, other: Plan) =>
    plan.filter((line) => !other.some((there) => sameRegulation(line, there))).map((line) => described(line, instance));
  const [scoreA, scoreB] = [first, second].map(({ plan }) => scoreFromScratch(instance, plan, weights).score);
  return {
    weights,
    a: { plan: a, score: scoreA, only: only(first.plan, second.plan) },
    b: { plan: b, score: scoreB, only: only(second.plan, first.plan) },
    delta: scoreB.objective - scoreA.objective,
  };
}

export function comparisonText({ a, b, delta }: ReturnType<typeof comparePlans>): string {
  const parts = ["objective", "exceedance", "delayMinutes", "regulations"] as const;
  const table = tableText(
    [{ title: "" }, { title: a.plan, align: "right" }, { title: b.plan, align: "right" }],
    parts.map((part) => [part, figure(a.score[part]), figure(b.score[part])]),
  );
  const verdict =
    delta === 0 ? "both cost the same" : `${delta < 0 ? b.plan : a.plan} is better by ${figure(Math.abs(delta))}`;
  const listed = [a, b].flatMap(({ plan, only }) => [
    "",
    `only in ${plan}: ${only.length === 0 ? "nothing" : ""}`,
    ...only.map((line) => `  ${line}`),
  ]);
  return [table, "", verdict, ...listed, ""].join("\n");
}

/** What `coppice flow explain` finds. */
export function explainFile(path: string, instance: Instance, prices: PriceChoice) {
  const { plan, weights } = chosenPlan("plan", path, instance, prices);
  const regulations = explainPlan(instance, plan, weights).map(({ regulation, ...explained }) => ({
    regulation: described(regulation, instance),
    ...explained,
  }));
  return { plan: path, weights, regulations };
}

export function explanationText({ plan, regulations }: ReturnType<typeof explainFile>): string {
  if (regulations.length === 0) return `${plan} is empty\n`;
  const some = (changes: readonly { volume: string; flights: number }[]) =>
    changes.length === 0
      ? "nothing"
      : changes
          .slice(0, 4)
          .map(({ volume, flights }) => `${volume} ${flights}`)
          .join(", ");
  return regulations
    .map(({ regulation, worth, protects, pushes, flightsDelayed, delayMinutes, origins }, k) =>
      [
        `${k + 1}. ${regulation}`,
        `   worth ${figure(worth)}: without it J would be ${worth < 0 ? "lower" : "higher"}`,
        `   takes away (flights above capacity): ${some(protects)}`,
        `   pushes elsewhere: ${some(pushes)}`,
        `   delays ${flightsDelayed} flights, ${delayMinutes} minutes in all; most from ${origins
          .slice(0, 4)
          .map(({ airport, minutes }) => `${airport} (${minutes})`)
          .join(", ")}`,
        "",
      ].join("\n"),
    )
    .join("\n");
}

function described({ volume, fromBin, toBin, flows, ratePerHour }: Regulation, instance: Instance): string {
  const window = `${clockLabel(fromBin, instance)}-${clockLabel(toBin, instance)}`;
  return `${instance.volumeIds[volume]} ${window} flows ${flowsOf(flows).join(",")} at ${ratePerHour}/h`;
}
