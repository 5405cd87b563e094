import { counted } from "@coppice/engine/figures";
import { type InputText, readInput } from "../import/input-text.ts";
import { clockLabel } from "../instance/clock.ts";
import type { Instance } from "../instance/instance.ts";
import { flowsCalled, namesOf } from "../instance/names.ts";
import { chosenWeights, type PriceChoice } from "../network/chosen-weights.ts";
import { flowsOf, type Plan, type Regulation } from "../network/regulation.ts";
import { pricesText, type Weights } from "../network/weights.ts";
import { checkDelayGranularity, checkPlan, checkPublishedPlan } from "../plan/check-plan.ts";
import { explainPlan, type MinutesAt } from "../plan/plan-account.ts";
import { inspectPlanFile, type PlanFile, readPlanFile } from "../plan/plan-file.ts";
import { chosenInventory, type DiscoveryChoice } from "../published/hotspots/inventory-file.ts";
import { inspectPublishedPlan, isPublishedPlan } from "../published/plans/published-plan.ts";
import { figure } from "./score-answer.ts";

/** A plan to be looked at, its prices, and what a reader should know about them. */
export interface ChosenPlan {
  readonly plan: Plan;
  readonly weights: Weights;
  readonly notices: readonly string[];
}

/** The plan that an option names, or the empty one, and the prices: those that are chosen, else the plan's, else the usual ones. */
export function chosenPlan(
  option: string,
  path: string | undefined,
  instance: Instance,
  prices: PriceChoice,
): ChosenPlan {
  if (path === undefined) return { plan: [], weights: chosenWeights(prices), notices: [] };
  const file = readPlanFile(readInput(option, path), instance);
  return { plan: file.plan, weights: chosenWeights(prices, file.weights), notices: ofAnotherDay(path, file, instance) };
}

/** A notice if a plan's file says that it was made for a different day or scenario. */
export function ofAnotherDay(path: string, { day }: PlanFile, instance: Instance): string[] {
  return day === undefined || day === instance.name ? [] : [`${path} was made for ${day}, not for ${instance.name}`];
}

/** How a plan of the published planner is checked: how its flows were found, and its log with the delays. */
interface PublishedChoice extends DiscoveryChoice {
  readonly log?: string | undefined;
}

/** What `coppice flow validate` finds; `published` is given where the published planner's rules count. */
export function validatePlan(path: string, instance: Instance, published?: PublishedChoice) {
  const file = readInput("plan", path);
  const { regulations, problems, checks } = findings(file, instance, published);
  if (published !== undefined) {
    checks.push(checkDelayGranularity(published.log === undefined ? undefined : readInput("run log", published.log)));
  }
  return {
    plan: path,
    regulations,
    /** False if a regulation cannot be read at all. */
    readable: problems.length === 0,
    ok: checks.every(({ violations }) => violations.length === 0),
    checks,
  };
}

/** Flows may also be those that the published planner finds, where its rules count and the day's names do not explain them. */
function findings(file: InputText, instance: Instance, choice: DiscoveryChoice | undefined) {
  const inspected = inspectPlanFile(file, instance);
  const { plan, problems, evaluations: said = 0 } = inspected;
  const evaluations = said > 0 ? said : undefined;
  if (choice === undefined || problems.length === 0 || !isPublishedPlan(file)) {
    return { regulations: plan.length, problems, checks: checkPlan(instance, plan, evaluations, inspected) };
  }
  const published = inspectPublishedPlan(file, instance, chosenInventory(instance, choice));
  const { regulations } = published;
  const checks = checkPublishedPlan(instance, regulations, published.problems, evaluations);
  return { regulations: regulations.size, problems: published.problems, checks };
}

/** The checks that a plan passed or failed, for people. */
export function validationText({ plan, regulations, checks }: ReturnType<typeof validatePlan>): string {
  const lines = checks.flatMap(({ name, description, violations, total }) => [
    `${violations.length > 0 ? "violated" : total === 0 ? "skipped " : "ok      "}  ${name}: ${description}`,
    ...violations.map((violation) => `            ${violation}`),
  ]);
  return [`${plan}: ${counted(regulations, "regulation")}`, ...lines, ""].join("\n");
}

/** What `coppice flow explain` finds. */
export function explainFile(path: string, instance: Instance, prices: PriceChoice) {
  const { plan, weights, notices } = chosenPlan("plan", path, instance, prices);
  const { before, after, lines } = explainPlan(instance, plan, weights);
  const regulations = lines.map(({ regulation, ...explained }) => ({
    regulation: describedLine(regulation, instance),
    ...explained,
  }));
  return { plan: path, notices, weights, before, after, regulations };
}

/** What each regulation of a plan does, for people. */
export function explanationText({ plan, weights, before, after, regulations }: ReturnType<typeof explainFile>): string {
  if (regulations.length === 0) return `${plan} is empty\n`;
  const some = (changes: readonly { name: string; flights: number }[]) =>
    changes.length === 0
      ? "nothing"
      : changes
          .slice(0, 4)
          .map(({ name, flights }) => `${name} ${flights}`)
          .join(", ");
  const blocks = regulations.map((line, k) =>
    [
      `${k + 1}. ${line.regulation}`,
      `   changes J by ${figure(line.delta)} when it follows those before it`,
      `   delays ${counted(line.flightsDelayed, "flight")} by ${counted(line.delayMinutes, "minute")}${mostFrom(line.origins)}`,
      `   worth ${figure(line.worth)}: without it J would be ${line.worth < 0 ? "lower" : "higher"}, and delay ${counted(Math.abs(line.minutesSavedWithout), "minute")} ${line.minutesSavedWithout < 0 ? "more" : "less"}`,
      `   takes away (flights above capacity): ${some(line.protects)}`,
      `   pushes elsewhere: ${some(line.pushes)}`,
      "",
    ].join("\n"),
  );
  const total = `in all J ${figure(before.objective)} -> ${figure(after.objective)} (${figure(after.objective - before.objective)}), ${counted(after.delayMinutes, "minute")} of delay; prices: ${pricesText(weights)}`;
  return [...blocks, total, ""].join("\n");
}

/** Where most of those who wait depart, at the end of a line. */
export function mostFrom(origins: readonly MinutesAt[]): string {
  const from = origins.slice(0, 4).map(({ airport, minutes }) => `${airport} (${minutes})`);
  return from.length === 0 ? "" : `; most from ${from.join(", ")}`;
}

/** A regulation in one line. */
export function describedLine({ volume, fromBin, toBin, flows, ratePerHour }: Regulation, instance: Instance): string {
  const window = `${clockLabel(fromBin, instance)}-${clockLabel(toBin, instance)}`;
  const [id, name] = [instance.volumeIds[volume], namesOf(instance).volumes[volume]];
  return `${id === name ? id : `${id} (${name})`} ${window}, ${flowsCalled(instance, volume, flowsOf(flows))} at ${ratePerHour}/h`;
}
