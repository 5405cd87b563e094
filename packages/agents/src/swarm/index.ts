export { composeSwarm, type SwarmChoices, type SwarmTexts } from "./compose-swarm.ts";
export { prepareSwarm, type SwarmRecord } from "./prepare-swarm.ts";
export type { SkippedFile, Swarm, SwarmAggregate, SwarmAnswer, SwarmMode, SwarmResult, SwarmTask } from "./swarm.ts";
export { batchTask } from "./swarm-prompts.ts";
export { SwarmSearch } from "./swarm-search.ts";
