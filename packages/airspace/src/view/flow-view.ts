import { join } from "node:path";
import { shellWord } from "@coppice/engine/child-process";
import { isPlainFile } from "@coppice/engine/files";
import { readResultFile, readRunFile } from "@coppice/engine/records";
import { type InputText, readInput } from "../import/input-text.ts";
import { type DayChoice, openDay } from "../import/open-day.ts";
import type { Instance } from "../instance/instance.ts";
import { namesOf } from "../instance/names.ts";
import type { Plan } from "../network/regulation.ts";
import { defaultWeights, type Weights } from "../network/weights.ts";
import { type Explained, explainPlan } from "../plan/plan-account.ts";
import { readPlanFile } from "../plan/plan-file.ts";
import type { PlanningRecord } from "../planner/planning-record.ts";
import type { PlanningResult } from "../planner/planning-run.ts";
import type { ReferenceRecord } from "../published/plans/reference-run.ts";
import type { Robustness } from "../robust/robustness.ts";
import { type DayColumns, packDay } from "./day-columns.ts";
import { type DayMap, dayMap } from "./day-map.ts";
import { type SearchView, searchView } from "./search-view.ts";

/** Airports and volumes that are named of those a regulation concerns. */
const MOST_NAMED = 8;

/** A day and a plan as pages show them: the day itself, so that a page can try other plans, a map of it, and names. */
export interface FlowView {
  readonly day: DayColumns;
  readonly map: DayMap;
  readonly volumeNames: readonly string[];
  /** Of each volume's flows, in the order of their numbers. */
  readonly flowNames: readonly (readonly string[])[];
  readonly weights: Weights;
  /** The command that scores a plan for this day, saved as plan.json. */
  readonly scoredBy: string;
  readonly plan: Plan;
  /** What each line of the plan does, in the plan's order. */
  readonly lines: readonly LineView[];
  /** How the plan was found, once that is known. */
  readonly search?: SearchView;
}

/** What a line of a plan does, with the few that it concerns most. */
export type LineView = Omit<Explained, "regulation">;

/** What there is to see of a run that plans a day; while it has no plan, the day. */
export function readFlowView(directory: string): FlowView {
  // Cast: written by the tool that this run is of.
  const record = readRunFile(directory).options as PlanningRecord | ReferenceRecord;
  const text = isPlainFile(join(directory, "plan.json")) ? readInput("plan", join(directory, "plan.json")) : undefined;
  if ("semantics" in record) return publishedView(record, text);
  const day = openDay(record);
  const plan = text === undefined ? [] : readPlanFile(text, day).plan;
  const view = flowView(day, plan, record.weights, record);
  const result = isPlainFile(join(directory, "result.json")) ? readResultFile(directory)?.result : undefined;
  if (text === undefined || result === undefined) return view;
  // Casts: written by the tool that this run is of.
  const { robustness } = JSON.parse(text.text) as { readonly robustness?: Robustness };
  return { ...view, search: searchView(result as PlanningResult, robustness) };
}

/** A plan by the published objective, as the network sees it; flows that a file of its own says how to find are not known here. */
function publishedView(record: ReferenceRecord, text: InputText | undefined): FlowView {
  const choice = { ...record, flows: "discover" };
  const day = openDay(choice);
  const known = text === undefined || record.discovery !== undefined ? undefined : text;
  return flowView(day, known === undefined ? [] : readPlanFile(known, day).plan, defaultWeights, choice);
}

/** A day and a plan for it as a page shows them. */
export function flowView(day: Instance, plan: Plan, weights: Weights, choice: DayChoice = {}): FlowView {
  const names = namesOf(day);
  return {
    day: packDay(day),
    map: dayMap(day),
    volumeNames: names.volumes,
    flowNames: day.flowNames.map((flows) => flows.map((flow) => names.flow(flow))),
    weights,
    scoredBy: ["coppice flow score --plan plan.json", ...optionsOf(choice)].join(" "),
    plan,
    lines: explainPlan(day, plan, weights).lines.map(({ regulation, origins, protects, pushes, ...line }) => ({
      ...line,
      origins: origins.slice(0, MOST_NAMED),
      protects: protects.slice(0, MOST_NAMED),
      pushes: pushes.slice(0, MOST_NAMED),
    })),
  };
}

/** A choice of the day as it is typed. */
function optionsOf({ instance, scenario, flows }: DayChoice): string[] {
  const given = { "--instance": instance, "--scenario": scenario, "--flows": flows };
  return Object.entries(given).flatMap(([option, value]) => (value === undefined ? [] : [option, shellWord(value)]));
}
