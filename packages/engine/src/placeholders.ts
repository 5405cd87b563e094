// Commands of users that values are put into.
export {
  type CommandTemplate,
  type FilledTemplate,
  fillTemplate,
  templateProblem,
} from "./placeholders/command-template.ts";
export { CommandError, namesIn } from "./placeholders/word.ts";
