import { type Command, Option } from "commander";

/** An option of a command: how it is written and described, and what its value may be. */
export type OptionRow = readonly [flags: string, description: string, rules?: OptionRules];

interface OptionRules {
  /** Environment variable that gives the value where it is not typed. */
  readonly env?: string;
  /** Environment variable that turns a yes-or-no option on. */
  readonly onBy?: string;
  readonly choices?: readonly string[];
  /** Reads the text; throws what the command line prints. */
  read?(text: string, earlier?: unknown): unknown;
  /** The value where none is given. */
  readonly usual?: unknown;
  /** How help writes that value. */
  readonly shown?: string;
  /** Names of options that cannot be given with it. */
  readonly conflicts?: readonly string[];
  /** Help does not list it. */
  readonly hidden?: true;
}

/** Adds options in the order that help lists them. */
export function addOptions(command: Command, rows: readonly OptionRow[]): Command {
  for (const [flags, description, rules = {}] of rows) {
    const { env, onBy, choices, read, usual, shown, conflicts, hidden = false } = rules;
    const option = new Option(flags, onBy === undefined ? description : `${description} (env: ${onBy})`);
    if (env !== undefined) option.env(env);
    if (choices !== undefined) option.choices(choices);
    if (read !== undefined) option.argParser(read);
    if (usual !== undefined) option.default(usual, shown);
    // Commander takes the mere presence of a variable for yes; here `0` and `false` mean no.
    if (onBy !== undefined && isYes(process.env[onBy])) option.default(true, `from ${onBy}`);
    if (conflicts !== undefined) option.conflicts([...conflicts]);
    command.addOption(option.hideHelp(hidden));
  }
  return command;
}

/** Set to anything but nothing, `0` or `false`. */
export function isYes(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}

/** Reads an option that may be given several times; one that takes a list would also take what follows it. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
