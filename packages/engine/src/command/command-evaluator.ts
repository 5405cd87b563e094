import { statSync } from "node:fs";
import { resolve } from "node:path";
import { isTexts, shown } from "../driver/check-given.ts";
import { isFolder } from "../files/if-there.ts";
import { UsageError } from "../usage-error.ts";
import type { AnswerShape } from "./answer-shape.ts";
import { notJson } from "./candidate-json.ts";
import { checkScript } from "./check-script.ts";
import { checkProgram, filesNamed } from "./find-program.ts";

/** One process per task, or one per worker that is asked task after task. */
export type CommandMode = "once" | "lines";

/** An evaluator that is a program in any language. */
export interface CommandOptions {
  /** The program and its arguments. A list, which no shell reads. */
  readonly command: readonly string[];
  /**
   * `once`, the default: a process per task reads the candidate as JSON on its standard input and prints the value.
   * `lines`: a process per worker reads `{"id":…,"candidate":…,"seed":…}` lines and answers each with
   * `{"id":…,"value":…}` or `{"id":…,"error":"…"}`.
   */
  readonly mode?: CommandMode;
  /** Where the program runs; default: the current directory. */
  readonly cwd?: string;
  /** Files that belong to its version beside those that the command names: what a script imports or reads. */
  readonly files?: readonly string[];
  /** What the program finds as JSON in its environment, as `COPPICE_CONTEXT`. */
  readonly context?: unknown;
  /**
   * What a value has to be; anything else is a failure. `number`: a number or null. `numbersFor`: an object with a number or
   * null for each of the names that the candidate lists in this field. Default: any JSON.
   */
  readonly answer?: AnswerShape;
  /** A longer answer is a failure. Default 16 MiB. */
  readonly maxAnswerBytes?: number;
}

/** What a run needs to evaluate with a command: spread it into the options of `start`, or into a prepared run. */
export interface CommandEvaluator {
  readonly evaluator: URL;
  readonly context: CommandContext;
  readonly evaluatorFiles: readonly string[];
  readonly evaluatorFolders: readonly string[];
}

/** What the workers are told. Not where the program runs: a project that is moved keeps its evaluations. */
export interface CommandContext {
  readonly command: readonly string[];
  readonly mode: CommandMode;
  readonly answer?: AnswerShape;
  readonly maxAnswerBytes: number;
  readonly context: string | null;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Linux takes no longer variable. */
const MAX_VARIABLE_BYTES = 120 * 1024;

/**
 * Makes an evaluator of a program in any language. The files that the command names, and `files`, are part of its
 * version. Throws {@link UsageError} when the program cannot be started.
 */
export function commandEvaluator(options: CommandOptions): CommandEvaluator {
  checkWords(options);
  const { command, mode = "once", answer, maxAnswerBytes = MAX_ANSWER_BYTES, files = [] } = options;
  const cwd = resolve(options.cwd ?? ".");
  const [program] = command;
  if (program === undefined || program === "") throw new UsageError("the command is empty: name a program");
  const odd = command.find((word) => word.includes("\0"));
  if (odd !== undefined)
    throw new UsageError("the command has a zero byte in an argument, which no program can be given");
  if (mode !== "once" && mode !== "lines") throw new UsageError(`a command's mode is "once" or "lines", not "${mode}"`);
  if (answer !== undefined && answer !== "number" && typeof answer.numbersFor !== "string") {
    throw new UsageError('a command\'s answer is "number" or { numbersFor: "a field of the candidate" }');
  }
  if (!(Number.isSafeInteger(maxAnswerBytes) && maxAnswerBytes > 0)) {
    throw new UsageError(`maxAnswerBytes must be a whole number of at least 1, not ${maxAnswerBytes}`);
  }
  if (!isFolder(cwd)) {
    throw new UsageError(`there is no folder ${cwd} to run a command in`);
  }
  checkProgram(program, cwd);
  checkScript(command, cwd);
  const missing = files.find((file) => statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isFile() !== true);
  if (missing !== undefined) throw new UsageError(`there is no file ${missing}, which belongs to the command`);
  const own = files.map((file) => resolve(cwd, file));
  return {
    evaluator: evaluatorIn(cwd),
    context: {
      command,
      mode,
      ...(answer === undefined ? {} : { answer }),
      maxAnswerBytes,
      context: contextText(options.context),
    },
    evaluatorFolders: [cwd],
    evaluatorFiles: [...new Set([...filesNamed(command, cwd), ...own])],
  };
}

/** Refuses what only a program without types can give. */
function checkWords(options: { readonly [Name in keyof CommandOptions]: unknown } | undefined): void {
  const { command, files = [], cwd = "." } = options ?? {};
  if (!isTexts(command)) {
    throw new UsageError(`a command is a list of texts, such as ["python3", "score.py"], not ${shown(command)}`);
  }
  if (!isTexts(files)) throw new UsageError(`a command's files are a list of texts, not ${shown(files)}`);
  if (typeof cwd !== "string") throw new UsageError(`a command's cwd is a text, not ${shown(cwd)}`);
}

function contextText(context: unknown): string | null {
  if (context === undefined || context === null) return null;
  const odd = notJson(context, "the command's context");
  if (odd !== undefined) throw new UsageError(odd);
  const text = JSON.stringify(context);
  if (Buffer.byteLength(text) <= MAX_VARIABLE_BYTES) return text;
  throw new UsageError(
    `the command's context takes ${Buffer.byteLength(text)} bytes as JSON, more than the ${MAX_VARIABLE_BYTES} a variable can hold: put it into a file`,
  );
}

/** The workers' module. Where the program runs is said in its address, because values do not depend on it. */
function evaluatorIn(cwd: string): URL {
  const url = new URL("./evaluator.ts", import.meta.url);
  url.searchParams.set("cwd", cwd);
  return url;
}
