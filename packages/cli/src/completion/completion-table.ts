import type { CompletionRow, Expected, Word } from "@coppice/workbench/completion";
import type { Argument, Command, Option } from "commander";

/** Every command of the program, as it describes itself. */
export function completionTable(program: Command): readonly CompletionRow[] {
  return rowsOf(program, "");
}

function rowsOf(command: Command, path: string): CompletionRow[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command).flatMap(spellings);
  const [argument] = command.registeredArguments;
  const row: CompletionRow = {
    path,
    commands: commands.map((each) => ({ word: each.name(), meaning: each.description() })),
    options: options.map(({ word, meaning }) => ({ word, meaning })),
    values: options.flatMap(({ option, ...word }) =>
      option.required || option.optional ? [{ ...word, expected: expectedOf(placeholderOf(option), option) }] : [],
    ),
    follows: argument === undefined ? "anything" : expectedOf(argument.name(), argument),
  };
  const below = commands.filter((each) => command.commands.includes(each));
  return [row, ...below.flatMap((each) => rowsOf(each, path === "" ? each.name() : `${path} ${each.name()}`))];
}

/** An option is complete as `--long` and as `-s`. */
function spellings(option: Option): (Word & { readonly option: Option })[] {
  return [option.long, option.short]
    .filter((word) => word !== undefined && word !== null)
    .map((word) => ({ word, meaning: option.description, option }));
}

/** The word between the brackets of `--run-dir <directory>`. */
function placeholderOf({ flags }: Option): string {
  return /[<[]([^>\].]+)/.exec(flags)?.[1] ?? "";
}

const FOLDERS: ReadonlySet<string> = new Set(["directory", "dir", "folder", "folders"]);
const FILES: ReadonlySet<string> = new Set([
  "file",
  "files",
  "path",
  "csv",
  "json",
  "geojson",
  "module",
  "globs",
  "plan",
]);

/** What is wanted is said by the choices, or by how help calls it. */
function expectedOf(
  name: string,
  { argChoices, description }: Pick<Argument | Option, "argChoices" | "description">,
): Expected {
  if (argChoices !== undefined && argChoices.length > 0) return argChoices;
  if (name === "run" || description.includes("id of a run")) return "runs";
  if (FOLDERS.has(name)) return "folders";
  return FILES.has(name) || description.includes("(JSON)") ? "files" : "anything";
}
