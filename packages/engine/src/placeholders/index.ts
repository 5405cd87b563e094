// Commands of users that values are put into.
export {
  type CommandTemplate,
  type FilledTemplate,
  fillTemplate,
  templateProblem,
} from "./command-template.ts";
export { CommandError, namesIn } from "./word.ts";
