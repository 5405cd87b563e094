// Plans tried in a page: what scoring a packed day takes, and nothing that needs Node.
export { clockLabel } from "./instance/clock.ts";
export type { Instance } from "./instance/instance.ts";
export type { Ring } from "./instance/outline.ts";
export { findHotspots, type Hotspot } from "./network/hotspots.ts";
export type { NetworkScore } from "./network/network-score.ts";
export { flowsOf, type Plan, type Regulation } from "./network/regulation.ts";
export { type ScratchResult, scoreFromScratch } from "./network/score-from-scratch.ts";
export type { Weights } from "./network/weights.ts";
export { planFileContent } from "./plan/plan-content.ts";
export { type DayColumns, unpackDay } from "./view/day-columns.ts";
export type { DayMap } from "./view/day-map.ts";
