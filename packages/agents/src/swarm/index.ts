export { composeSwarm, type SwarmChoices } from "./compose-swarm.ts";
export { prepareSwarm } from "./prepare-swarm.ts";
export { batchTask } from "./swarm-prompts.ts";
export { SwarmSearch } from "./swarm-search.ts";
