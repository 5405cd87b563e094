export type { Finding, Severity } from "./findings.ts";
export { MOST_PROMPTS, type SkippedFile, type SwarmMode, type SwarmPlan, type SwarmTask } from "./swarm-plan.ts";
export {
  analysisTask,
  batchTask,
  generationTask,
  type RequestBase,
  reviewTask,
  testCaseTask,
  usualAnalysts,
} from "./swarm-prompts.ts";
export type { SwarmAggregate, SwarmAnswer, SwarmResult } from "./swarm-result.ts";
export { SwarmSearch } from "./swarm-search.ts";
export { swarmText } from "./swarm-text.ts";
