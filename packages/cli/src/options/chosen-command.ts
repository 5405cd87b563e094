import { splitWords } from "@coppice/engine/child-process";
import type { CommandOptions } from "@coppice/engine/command";
import { UsageError } from "@coppice/engine/usage-error";
import type { CommandFlags } from "./command-options.ts";

/** The program that `--command` names, run from here; undefined when it names none. */
export function chosenCommand({ command: line, commandMode, commandFiles }: CommandFlags): CommandOptions | undefined {
  if (line === undefined) {
    if (commandMode !== undefined) throw new UsageError("--command-mode goes with --command, which is missing");
    if (commandFiles !== undefined) throw new UsageError("--command-files goes with --command, which is missing");
    return undefined;
  }
  return {
    command: commandWords(line, "--command"),
    ...(commandMode === undefined ? {} : { mode: commandMode }),
    ...(commandFiles === undefined ? {} : { files: commandFiles }),
  };
}

/** The words of a line as a shell would split them; a line that a shell would do more with is refused. */
function commandWords(line: string, flag: string): readonly string[] {
  const words = splitWords(line, process.env);
  if (words === undefined) {
    const open = [`'`, `"`].find((quote) => splitWords(line + quote, process.env) !== undefined);
    if (open !== undefined) throw new UsageError(`${flag} ${line}: a quote (${open}) is not closed`);
    throw new UsageError(
      `${flag} ${line}: no shell is started, so quote what a shell would read (| ; > * $(…)), or write sh -c '…'`,
    );
  }
  if (words.length === 0) throw new UsageError(`${flag} is empty: name a program and its arguments`);
  return words;
}
