import { type Command, Option } from "commander";

/** An option of a command: how it is written and described, and what its value may be. */
export type OptionRow = readonly [flags: string, description: string, rules?: OptionRules];

interface OptionRules {
  /** Environment variable that gives the value where it is not typed. */
  readonly env?: string;
  readonly choices?: readonly string[];
  /** Reads the text; throws what the command line prints. */
  readonly read?: (text: string) => unknown;
  /** The value where none is given. */
  readonly usual?: unknown;
}

/** Adds options in the order that help lists them. */
export function addOptions(command: Command, rows: readonly OptionRow[]): Command {
  for (const [flags, description, { env, choices, read, usual } = {}] of rows) {
    const option = new Option(flags, description);
    if (env !== undefined) option.env(env);
    if (choices !== undefined) option.choices(choices);
    if (read !== undefined) option.argParser(read);
    if (usual !== undefined) option.default(usual);
    command.addOption(option);
  }
  return command;
}
