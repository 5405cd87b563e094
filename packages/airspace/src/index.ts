// A day of air traffic for programs: its flights and volumes, plans and what they cost, rates. What the command answers
// with, as data and as text, is in /answers.

export { type ImportChoice, importDay } from "./import/import-day.ts";
export { type DayChoice, openDay } from "./import/open-day.ts";
export { decodeInstance, encodeInstance } from "./instance/artifact.ts";
export { assembleInstance, type FlightDraft } from "./instance/assemble.ts";
export { binsPerHour, type Instance, volumeOfId, wholeCapacity } from "./instance/instance.ts";
export { usDay } from "./instance/us-day.ts";
export { findHotspots } from "./network/hotspots.ts";
export { PlanEvaluator } from "./network/kernel/plan-evaluator.ts";
export { MAX_DELAY_MINUTES, type Plan, type Regulation } from "./network/regulation.ts";
export { scoreFromScratch } from "./network/score-from-scratch.ts";
export { defaultWeights, type Weights } from "./network/weights.ts";
export { networkModels } from "./network-rates/network-model.ts";
export { readPlanFile } from "./plan/plan-file.ts";
export { makePlan, type Planning } from "./planner/make-plan.ts";
export type { PlannerOptions } from "./planner/planner-options.ts";
export {
  type PlanningChoices,
  type PlanningRecord,
  planningNotices,
  planningRecord,
} from "./planner/planning-record.ts";
export {
  type PlanningResult,
  planningRun,
  prepareCommits,
  preparePopulation,
  prepareRoots,
} from "./planner/planning-run.ts";
export { mostUsefulWorkers, planningWorkers } from "./planner/planning-workers.ts";
export type { PopulationShape } from "./planner/population/population-shape.ts";
export { walkPlan } from "./planner/population/walk-plan.ts";
export { type ReferenceRecord, referenceRecord, referenceRun } from "./published/plans/reference-run.ts";
export { findRatesOnPool } from "./rate-search/pooled-rates.ts";
export type { CrewRequest } from "./rate-search/rate-crew.ts";
export { RateFinder, type RateFinding } from "./rate-search/rate-finder.ts";
export type { ControlMode } from "./rate-search/rate-model.ts";
export type { RateVector } from "./rate-search/rate-search.ts";
export { shareTables, type TableHeader } from "./rate-search/rate-tables.ts";
export type { CommitRules } from "./stepwise/commit-task.ts";
