// What a module loaded in workers needs of the engine, and no more: the whole of it takes a worker some 100 ms to load.
export {
  type CandidateOf,
  defineEvaluator,
  type Evaluator,
  type Resources,
  type Task,
  type TaskProgress,
  type ValueOf,
} from "./contract/evaluator.ts";
export { defineRun, type RunDefinition, type RunGiven, type RunOption } from "./contract/run-module.ts";
export { type Random, random } from "./random/random.ts";
export { timed } from "./timers/timed.ts";
export { UsageError } from "./usage-error.ts";
