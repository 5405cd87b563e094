export type { CouncilCandidate, CouncilValue } from "./candidate.ts";
export { type CouncilChoices, composeCouncil } from "./compose-council.ts";
export type { CouncilResult, Speculation } from "./council-result.ts";
export { CouncilSearch } from "./council-search.ts";
export type { CouncilSetup } from "./council-setup.ts";
export type { CouncilAccount } from "./council-text.ts";
export { councilEvaluator, prepareCouncil } from "./prepare-council.ts";
export { type SpeculativeWaste, speculativeWaste } from "./speculative-waste.ts";
