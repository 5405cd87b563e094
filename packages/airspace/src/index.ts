export {
  findRateCases,
  findRates,
  type RatesReport,
  type RatesRequest,
  ratesJson,
  type Semantics,
} from "./answers/find-rates.ts";
export { ratesPlan } from "./answers/found-plan.ts";
export { hotspotsJson, hotspotsText, hotspotsWith, segmentsJson, segmentsText } from "./answers/hotspots-answer.ts";
export {
  chosenPlan,
  comparePlans,
  comparisonText,
  explainFile,
  explanationText,
  validatePlan,
  validationText,
} from "./answers/plan-answers.ts";
export { ratesText } from "./answers/rates-text.ts";
export { scoreJson, scoreText } from "./answers/score-answer.ts";
export { defaultEpisodeOptions, type EpisodeOptions } from "./episode/episode-options.ts";
export { readCapacityGeoJson, readCapacityTable } from "./import/capacity-file.ts";
export { type DayRules, defaultDayRules, readDayRules } from "./import/day-rules.ts";
export { readAirports, readFlightTable, type ScheduledFlight } from "./import/flight-table.ts";
export { type ImportChoice, importDay } from "./import/import-day.ts";
export type { InputText } from "./import/input-text.ts";
export { type DayChoice, openDay } from "./import/open-day.ts";
export { importGolden, importPublished, type PublishedFiles } from "./import/published.ts";
export { importScheduledDay, type ScheduledDay } from "./import/scheduled-day.ts";
export { decodeInstance, encodeInstance } from "./instance/artifact.ts";
export { assembleInstance, type FlightDraft, type VolumeDraft } from "./instance/assemble.ts";
export { type BinWindow, binsPerHour, type Instance, wholeCapacity } from "./instance/instance.ts";
export { US_DAY, usDay } from "./instance/us-day.ts";
export { findHotspots, type Hotspot } from "./network/hotspots.ts";
export { PlanEvaluator } from "./network/kernel/plan-evaluator.ts";
export type { NetworkScore } from "./network/network-score.ts";
export {
  flowSet,
  flowsOf,
  MAX_DELAY_MINUTES,
  type Plan,
  type Regulation,
  sameRegulation,
} from "./network/regulation.ts";
export { countHours, type ScratchResult, scoreFromScratch } from "./network/score-from-scratch.ts";
export { defaultWeights, type PriceChoice, readWeights, type Weights } from "./network/weights.ts";
export { type NetworkTask, networkModels } from "./network-rates/network-model.ts";
export { checkDelayGranularity, checkPlan, type PlanCheck } from "./plan/check-plan.ts";
export { accountFor, type Explained, explainPlan, type LineAccount, type PlanAccount } from "./plan/plan-account.ts";
export { planExport } from "./plan/plan-export.ts";
export { type InspectedPlan, inspectPlanFile, type PlanFile, planFileContent, readPlanFile } from "./plan/plan-file.ts";
export { makePlan, type Planning } from "./planner/make-plan.ts";
export {
  type PlannerOptions,
  type PlannerPart,
  type PlannerPolicy,
  plannerParts,
  plannerPolicies,
} from "./planner/planner-options.ts";
export { type PlanningChoices, type PlanningRecord, planningRecord } from "./planner/planning-record.ts";
export { planningRun, prepareCommits, prepareRoots } from "./planner/planning-run.ts";
export { mostUsefulWorkers, planningWorkers } from "./planner/planning-workers.ts";
export {
  type OuterRuns,
  type RootResult,
  RootSearch,
  type RootSummary,
  type RootTask,
  type RootValue,
  type TimeSplit,
} from "./planner/root-search.ts";
export type { PlanningProgress, PlanningWatch } from "./planner/watched-evaluator.ts";
export { type GroupingOptions, groupFlights } from "./published/hotspots/flow-groups.ts";
export {
  candidateOf,
  type HotspotCandidate,
  hotspotInventory,
  type InventoryOptions,
} from "./published/hotspots/inventory.ts";
export { publishedCandidate, publishedSegment, readInventoryOptions } from "./published/hotspots/inventory-file.ts";
export { hotspotSegments, hourlyPresence, type Segment } from "./published/hotspots/segments.ts";
export { type PublishedRegulation, planDomainObjective, systemObjective } from "./published/plans/plan-objective.ts";
export { type PublishedScore, publishedScore, readPublishedPlan } from "./published/plans/published-plan.ts";
export { scorePublished, scorePublishedFile } from "./published/plans/score-file.ts";
export { type PublishedCase, readPublishedCases } from "./published/rates/published-cases.ts";
export { type PublishedFinding, publishedFinding } from "./published/rates/published-finding.ts";
export { type PublishedTask, publishedModels } from "./published/rates/published-model.ts";
export {
  controlledFlows,
  type Entrant,
  entrantsOf,
  type Flow,
  flowsOfIds,
  readFlowsFile,
  volumeOfId,
} from "./published/scoring/controlled-flows.ts";
export { binLabel, binStartLabel } from "./published/scoring/day-clock.ts";
export { type Components, type Score, scoreOnce, scorePlans } from "./published/scoring/published-score.ts";
export { type PublishedWeights, publishedWeights } from "./published/scoring/published-weights.ts";
export { releasePlan } from "./published/scoring/release-profile.ts";
export { type FlowQueue, type Release, scheduleFlows } from "./published/scoring/scheduler.ts";
export { type ScoreContext, type ScoreRequest, scoreContext } from "./published/scoring/score-context.ts";
export type { Spill } from "./published/scoring/spill.ts";
export { findRatesOnPool, type PooledFinding } from "./rate-search/pooled-rates.ts";
export type { CrewRequest } from "./rate-search/rate-crew.ts";
export { type PreparedRates, RateFinder, type RateFinding, type RateOutcome } from "./rate-search/rate-finder.ts";
export type { ControlMode, RateModelSource } from "./rate-search/rate-model.ts";
export { defaultRateOptions, type RateOptions } from "./rate-search/rate-options.ts";
export { RateSearch, type RateSearchResult, type RateSearchTask, type RateVector } from "./rate-search/rate-search.ts";
export { type SharedTables, shareTables, type TableHeader } from "./rate-search/rate-tables.ts";
export { type DayReportInput, dayReport } from "./report/day-report.ts";
export type { PlanSearch } from "./report/search-section.ts";
export type { CommitRules, CommitTask, CommitValue } from "./stepwise/commit-task.ts";
