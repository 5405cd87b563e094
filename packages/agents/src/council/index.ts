export type { CouncilCandidate, CouncilValue } from "./candidate.ts";
export type * from "./council-record.ts";
export { CouncilSearch, type Speculation } from "./council-search.ts";
export type { CouncilContext } from "./evaluator.ts";
export { recruitFor } from "./recruitment.ts";
export type { CouncilSetup, Seat } from "./setup.ts";
export { type SpeculativeWaste, speculativeWaste } from "./speculative-waste.ts";
export { councilPace } from "./timekeeper.ts";

/** The module that answers a council; runs in the engine's `concurrent` pool. */
export const councilEvaluator = new URL("./evaluator.ts", import.meta.url);
