import type { Command } from "commander";

/** Ends a command's help with a line to type. */
export function withExample(command: Command, line: string): Command {
  return command.addHelpText("after", `\nExample:\n  $ ${line}\n`);
}

/** Does so for the commands below one, by name. A test finds those without a line. */
export function withExamples(parent: Command, lines: Readonly<Record<string, string | undefined>>): void {
  for (const command of parent.commands) {
    const line = lines[command.name()];
    if (line !== undefined) withExample(command, line);
  }
}
