import { shellWord, splitWords } from "@coppice/engine/child-process";
import { templateProblem } from "@coppice/engine/placeholders";
import { UsageError } from "@coppice/engine/usage-error";

const ITEM = "{}";
const NUMBER = "{#}";

/** A command with places for an item, and the items that were typed after `:::`. */
export interface TypedCommand {
  readonly words: readonly string[];
  readonly items?: readonly string[];
}

/**
 * Reads what was typed: words as they are, or one text that is split as a shell would split it. Where no word has a place
 * for the item it comes last. A place inside code (`sh -c 'echo {}'`) is refused.
 */
export function readCommand(typed: readonly string[], stdin: boolean): TypedCommand {
  const at = typed.indexOf(":::");
  const given = at < 0 ? typed : typed.slice(0, at);
  const [only, ...more] = given;
  if (only === undefined) throw new UsageError("name a command to run for every item, such as: coppice map gzip {}");
  const words = more.length === 0 && /\s/.test(only) ? split(only) : given;
  const command = stdin || words.some(hasPlace) ? words : [...words, ITEM];
  if (stdin && words.some((word) => word.includes(ITEM))) {
    throw new UsageError(`with --stdin the command reads the item, so ${ITEM} has no meaning: leave one of them out`);
  }
  const problem = templateProblem({
    command: command.map((word) => word.replaceAll(ITEM, "{item}")),
    isPlaceholder: (name) => name === "item",
    folders: [],
    variable: String,
    untrustedInput: false,
  });
  if (problem !== undefined) throw new UsageError(problem.replaceAll("{item}", ITEM));
  return { words: command, ...(at < 0 ? {} : { items: typed.slice(at + 1) }) };
}

function split(line: string): readonly string[] {
  // What stands in braces is ours, and no shell's.
  const marked = line.replaceAll(ITEM, MARKS.item).replaceAll(NUMBER, MARKS.number);
  const words = splitWords(marked, process.env);
  if (words !== undefined && words.length > 0) {
    return words.map((word) => word.replaceAll(MARKS.item, ITEM).replaceAll(MARKS.number, NUMBER));
  }
  const open = [`'`, `"`].find((quote) => splitWords(marked + quote, process.env) !== undefined);
  if (open !== undefined) throw new UsageError(`${line}: a quote (${open}) is not closed`);
  throw new UsageError(
    `${line}: no shell is started, so quote what a shell would read (| ; > * $(…)), or write: sh -c '…"$1"…' sh {}`,
  );
}

/** No letters of any script. */
const MARKS = { item: "\u{F8FFE}", number: "\u{F8FFF}" } as const;

function hasPlace(word: string): boolean {
  return word.includes(ITEM) || word.includes(NUMBER);
}

/** The program and arguments for one item; its number counts from 1. */
export function wordsFor(words: readonly string[], item: string, number: number): string[] {
  return words.map((word) => word.replace(/\{#?\}/g, (place) => (place === ITEM ? item : String(number))));
}

/** The same as a shell would read it back. */
export function shownCommand(words: readonly string[]): string {
  return words.map((word) => (word === "" ? "''" : shellWord(word))).join(" ");
}
