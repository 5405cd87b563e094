// Evaluators in any language: a command that is asked on its standard input and answers on its standard output.

export { taskSeed } from "../random/task-seed.ts";
export { type AnswerShape, wrongShape } from "./answer-shape.ts";
export {
  type CommandEvaluator,
  type CommandMode,
  type CommandOptions,
  commandEvaluator,
} from "./command-evaluator.ts";
export { checkProgram, filesNamed } from "./find-program.ts";
