import { type CommandLine, readCommandLine } from "../child-process/command-line.ts";
import { refuseCode } from "./nested-code.ts";
import { readShellLine } from "./shell-line.ts";
import { CommandError, type IsPlaceholder, namesIn, type Piece, piecesOf, type Word } from "./word.ts";

/** A user's command with places for values. A value arrives as it is, or the command is refused before anything runs. */
export interface CommandTemplate {
  /** A list is run as it is; a text is a line for the shell. */
  readonly command: string | readonly string[];
  readonly isPlaceholder: IsPlaceholder;
  /** Placeholders that stand for a folder: a program may lie in it. */
  readonly folders: readonly string[];
  /** The variable that holds a value in a shell line. */
  readonly variable: (name: string) => string;
  /** Given where a line that needs no shell is run without one; its `$NAME` are looked up here. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Whether the command reads text from outside on its standard input. */
  readonly untrustedInput: boolean;
}

/** What is started, and the variables that a shell line reads its values from. */
export interface FilledTemplate {
  readonly command: CommandLine;
  readonly variables: Readonly<Record<string, string>>;
}

/** Linux refuses a longer argument or variable. */
const LONGEST_ARGUMENT = 128 * 1024 - 1;
/** Stands around a placeholder's number while words are told apart; no letter of any script. */
const MARK = "\u{F8FFE}";

/** Why a command cannot be used, whatever the values, in one line; undefined when it can. */
export function templateProblem(template: CommandTemplate): string | undefined {
  try {
    fillTemplate(template, () => "x");
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

/** Puts values in, as arguments or as variables: no value is ever read by a shell. Throws a {@link CommandError}. */
export function fillTemplate(template: CommandTemplate, value: (name: string) => string): FilledTemplate {
  const { command, isPlaceholder, folders, untrustedInput, variable } = template;
  const words = wordsOf(template);
  if (words !== undefined) {
    refuseCode(words.map(wordOf), { folders, untrustedInput });
    const [file, ...args] = words.map((pieces) => {
      const word = pieces.map((piece) => ("text" in piece ? piece.text : value(piece.name))).join("");
      return checkedValue(word, pieces.find((piece) => "name" in piece)?.name);
    });
    return { command: { kind: "program", file, args }, variables: {} };
  }
  // Cast: a list has words.
  const text = command as string;
  const names = new Set(namesIn(text, isPlaceholder));
  if (names.size === 0) {
    const line = wordOf(piecesOf(text, isPlaceholder)).text;
    if (untrustedInput) for (const each of commandsIn(line)) refuseCode(each, { folders, untrustedInput });
    return { command: { kind: "shell", line }, variables: {} };
  }
  const { line, commands } = readShellLine(text, isPlaceholder, variable);
  for (const each of commands) {
    refuseCode(each, { folders, untrustedInput: true });
    // A function of the shell may be given the value, and its `eval "$1"` would run it.
    if (each.find(({ text }) => !/^(?:\w+\+?=.*|command|builtin)$/s.test(text))?.text === "eval") {
      throw new CommandError("eval in a line with a placeholder could run it as code: leave eval out");
    }
  }
  const variables: Record<string, string> = {};
  for (const name of names) {
    const given = value(name);
    checkedValue(`${variable(name)}=${given}`, name);
    variables[variable(name)] = given;
  }
  return { command: { kind: "shell", line }, variables };
}

/** The commands of a line that nothing is put into; none when we cannot follow it, for it is the user's, word for word. */
function commandsIn(line: string): readonly (readonly Word[])[] {
  try {
    return readShellLine(line, () => false, String).commands;
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}

/** The words of a list, or of a line that needs no shell; undefined when one is needed. */
function wordsOf({ command, isPlaceholder, environment }: CommandTemplate): readonly (readonly Piece[])[] | undefined {
  if (typeof command !== "string") return command.map((word) => piecesOf(word, isPlaceholder));
  if (environment === undefined || command.includes(MARK)) return undefined;
  const pieces = piecesOf(command, isPlaceholder);
  const marked = pieces.map((piece, index) => ("text" in piece ? piece.text : `${MARK}${index}${MARK}`)).join("");
  const line = readCommandLine(marked, environment);
  if (line.kind === "shell") return undefined;
  return [line.file, ...line.args].map((word) =>
    word.split(MARK).map((part, index) => (index % 2 === 0 ? { text: part } : pieces[Number(part)])),
  );
}

function wordOf(pieces: readonly Piece[]): Word {
  return {
    text: pieces.map((piece) => ("text" in piece ? piece.text : `{${piece.name}}`)).join(""),
    placeholders: pieces.flatMap((piece) => ("name" in piece ? [piece.name] : [])),
    isUnsure: false,
  };
}

/** A text that a program can be given as it is. */
function checkedValue(text: string, name: string | undefined): string {
  const refused = (why: string): CommandError =>
    new CommandError(`${name === undefined ? "the command" : `what {${name}} stands for`} ${why}`);
  if (text.includes("\0")) throw refused("holds a zero byte, which no argument can hold");
  if (!text.isWellFormed()) throw refused("is not valid Unicode");
  const bytes = Buffer.byteLength(text);
  if (bytes > LONGEST_ARGUMENT) throw refused(`is too long for an argument (${bytes} bytes of ${LONGEST_ARGUMENT})`);
  return text;
}
