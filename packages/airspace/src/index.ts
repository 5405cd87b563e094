export { comparePlans, comparisonText } from "./answers/compare-plans.ts";
export { flowsJson, flowsText, volumesJson, volumesText } from "./answers/day-lists.ts";
export { delaysJson, delaysText } from "./answers/delays-answer.ts";
export { exportDay, exportedFiles } from "./answers/export-day.ts";
export { findRateCases, findRates, ratesJson, type Semantics } from "./answers/find-rates.ts";
export { ratesPlan } from "./answers/found-plan.ts";
export { hotspotsJson, hotspotsText, hotspotsWith, segmentsJson, segmentsText } from "./answers/hotspots-answer.ts";
export {
  chosenPlan,
  explainFile,
  explanationText,
  validatePlan,
  validationText,
} from "./answers/plan-answers.ts";
export { ratesText } from "./answers/rates-text.ts";
export { scoreJson, scoreText } from "./answers/score-answer.ts";
export { episodePriors, stopPlaces } from "./episode/episode-options.ts";
export { type ImportChoice, importDay } from "./import/import-day.ts";
export { type DayChoice, openDay } from "./import/open-day.ts";
export { decodeInstance, encodeInstance } from "./instance/artifact.ts";
export { assembleInstance, type FlightDraft } from "./instance/assemble.ts";
export { binsPerHour, type Instance, volumeOfId, wholeCapacity } from "./instance/instance.ts";
export { usDay } from "./instance/us-day.ts";
export type { PriceChoice } from "./network/chosen-weights.ts";
export { findHotspots } from "./network/hotspots.ts";
export { PlanEvaluator } from "./network/kernel/plan-evaluator.ts";
export { MAX_DELAY_MINUTES, type Plan, type Regulation } from "./network/regulation.ts";
export { scoreFromScratch } from "./network/score-from-scratch.ts";
export { defaultWeights, type Weights } from "./network/weights.ts";
export { networkModels } from "./network-rates/network-model.ts";
export { readPlanFile } from "./plan/plan-file.ts";
export { makePlan, type Planning } from "./planner/make-plan.ts";
export { type PlannerOptions, plannerParts, plannerPolicies } from "./planner/planner-options.ts";
export { type PlanningChoices, type PlanningRecord, planningRecord } from "./planner/planning-record.ts";
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
export { scorePublishedFile } from "./published/plans/score-file.ts";
export { findRatesOnPool } from "./rate-search/pooled-rates.ts";
export type { CrewRequest } from "./rate-search/rate-crew.ts";
export { RateFinder, type RateFinding } from "./rate-search/rate-finder.ts";
export type { ControlMode } from "./rate-search/rate-model.ts";
export type { RateVector } from "./rate-search/rate-search.ts";
export { shareTables, type TableHeader } from "./rate-search/rate-tables.ts";
export { dayReport } from "./report/day-report.ts";
export type { CommitRules } from "./stepwise/commit-task.ts";
