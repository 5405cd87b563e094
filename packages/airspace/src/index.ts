export { cutDownDay } from "./cut-down-day.ts";
export { defaultEpisodeOptions, type EpisodeOptions } from "./episode/episode-options.ts";
export { findHotspots, type Hotspot } from "./hotspots/hotspots.ts";
export { type DayRules, defaultDayRules, readDayRules } from "./import/day-rules.ts";
export { readAirports, readFlightTable, type ScheduledFlight } from "./import/flight-table.ts";
export { readCapacityGeoJson, readCapacityTable } from "./import/hourly-capacity.ts";
export { type InputText, importGolden, importPublished, type PublishedFiles } from "./import/published.ts";
export { importScheduledDay, type ScheduledDay } from "./import/scheduled-day.ts";
export { decodeInstance, encodeInstance } from "./instance/artifact.ts";
export { assembleInstance, type FlightDraft, type VolumeDraft } from "./instance/assemble.ts";
export { binsPerHour, type Instance, wholeCapacity } from "./instance/instance.ts";
export type { NetworkScore } from "./network/network-score.ts";
export { PlanEvaluator } from "./network/plan-evaluator.ts";
export {
  flowSet,
  flowsOf,
  MAX_DELAY_MINUTES,
  type Plan,
  type Regulation,
  sameRegulation,
} from "./network/regulation.ts";
export { countHours, type ScratchResult, scoreFromScratch } from "./network/score-from-scratch.ts";
export { defaultWeights, readWeights, type Weights } from "./network/weights.ts";
export { checkPlan, type PlanCheck } from "./plan/check-plan.ts";
export { checkDelayGranularity } from "./plan/delay-granularity.ts";
export { type Explained, explainPlan } from "./plan/explain-plan.ts";
export { accountFor, type LineAccount, type PlanAccount } from "./plan/plan-account.ts";
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
export { type PreparedPlanning, prepareCommits, preparePlanning } from "./planner/prepare-run.ts";
export { type RootResult, RootSearch, type RootSummary, type RootValue } from "./planner/root-search.ts";
export type { OuterRuns, RootTask, TimeSplit } from "./planner/root-tasks.ts";
export type { PlanningProgress, PlanningWatch } from "./planner/watched-evaluator.ts";
export { type NetworkTask, networkModels } from "./rates/network-model.ts";
export { findRatesOnPool, type PooledFinding } from "./rates/pooled-rates.ts";
export { type PublishedCase, readPublishedCases } from "./rates/published-cases.ts";
export { type PublishedFinding, publishedFinding } from "./rates/published-finding.ts";
export { type PreparedRates, RateFinder, type RateFinding, type RateOutcome } from "./rates/rate-finder.ts";
export type { RateModelSource } from "./rates/rate-model.ts";
export { defaultRateOptions, type RateOptions } from "./rates/rate-options.ts";
export { RateSearch, type RateSearchResult, type RateSearchTask, type RateVector } from "./rates/rate-search.ts";
export { type ReferenceTask, referenceModels } from "./rates/reference-model.ts";
export { type SharedTables, shareTables, type TableHeader } from "./rates/shared-tables.ts";
export { type ControlMode, controlledFlows, type Flow, flowsOfIds, volumeOfId } from "./reference/controlled-flows.ts";
export { binLabel, binStartLabel } from "./reference/day-clock.ts";
export { type BinWindow, type Entrant, entrantsOf } from "./reference/entrants.ts";
export { type GroupingOptions, groupFlights } from "./reference/flow-groups.ts";
export { readFlowsFile } from "./reference/flows-file.ts";
export { candidateOf, type HotspotCandidate, hotspotInventory, type InventoryOptions } from "./reference/inventory.ts";
export { readInventoryOptions } from "./reference/inventory-file.ts";
export { type PublishedRegulation, planDomainObjective, systemObjective } from "./reference/plan-objective.ts";
export { publishedCandidate, publishedSegment } from "./reference/published-hotspots.ts";
export { type PublishedScore, publishedScore, readPublishedPlan } from "./reference/published-plan.ts";
export { scorePublished } from "./reference/published-score.ts";
export { releasePlan } from "./reference/release-plan.ts";
export { type FlowQueue, type Release, scheduleFlows } from "./reference/scheduler.ts";
export { type Components, type Score, scoreOnce, scorePlans } from "./reference/score.ts";
export { type ScoreContext, type ScoreRequest, scoreContext } from "./reference/score-context.ts";
export { hotspotSegments, hourlyPresence, type Segment } from "./reference/segments.ts";
export type { Spill } from "./reference/spill.ts";
export { type ReferenceWeights, referenceWeights } from "./reference/weights.ts";
export { type DayReportInput, dayReport } from "./report/day-report.ts";
export type { PlanSearch } from "./report/search-section.ts";
export type { CommitRules } from "./stepwise/commit-options.ts";
export type { CommitTask, CommitValue } from "./stepwise/commit-task.ts";
export { RATE_WORKERS } from "./stepwise/rate-crew.ts";
export { US_DAY, usDay } from "./us-day.ts";
