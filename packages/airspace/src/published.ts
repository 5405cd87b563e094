// The published planner's semantics, number for number: its hotspots and flows, scheduler, score, objectives and files.
export { publishedModels } from "./published/rates/published-model.ts";
export { controlledFlows, type Flow } from "./published/scoring/controlled-flows.ts";
export { scoreProfiles } from "./published/scoring/published-score.ts";
export { releaseProfile } from "./published/scoring/release-profile.ts";
export { scoreContext } from "./published/scoring/score-context.ts";
