// The published planner's semantics, number for number: its hotspots and flows, scheduler, score, objectives and files.
export { groupFlights } from "./published/hotspots/flow-groups.ts";
export { candidateOf, type HotspotCandidate, hotspotInventory } from "./published/hotspots/inventory.ts";
export { publishedCandidate, publishedSegment, readInventoryOptions } from "./published/hotspots/inventory-file.ts";
export { hotspotSegments } from "./published/hotspots/segments.ts";
export { planDomainObjective, systemObjective } from "./published/plans/plan-objective.ts";
export { publishedScore, readPublishedPlan } from "./published/plans/published-plan.ts";
export { scorePublished } from "./published/plans/score-file.ts";
export { readPublishedCases } from "./published/rates/published-cases.ts";
export { publishedFinding } from "./published/rates/published-finding.ts";
export { publishedModels } from "./published/rates/published-model.ts";
export { controlledFlows, type Flow, flowsOfIds, readFlowsFile } from "./published/scoring/controlled-flows.ts";
export { scoreOnce, scoreProfiles } from "./published/scoring/published-score.ts";
export { type PublishedWeights, publishedWeights } from "./published/scoring/published-weights.ts";
export { releaseProfile } from "./published/scoring/release-profile.ts";
export { scheduleFlows } from "./published/scoring/scheduler.ts";
export { scoreContext } from "./published/scoring/score-context.ts";
