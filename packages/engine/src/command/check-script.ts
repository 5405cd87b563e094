import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { basename, delimiter, resolve } from "node:path";
import { UsageError } from "../usage-error.ts";

/** Programs whose first argument is a script, unless it is an option. */
const INTERPRETER = /^(python|pypy|node|ruby|perl|php|lua|julia|Rscript|sh|bash|dash|ksh|zsh)[\d.]*$/;
/** Other words may mean something else: `node score` finds `score.js`. */
const SCRIPT = /^[^-].*\.([cm]?[jt]s|py|rb|pl|php|lua|jl|r|sh|bash|zsh)$/i;
/** Linux reads no more of a first line. */
const FIRST_LINE_BYTES = 256;

/** Refuses a program that is a script without its interpreter; the system would say that the script itself is not there. */
export function checkInterpreter(program: string, cwd: string): void {
  const interpreter = interpreterOf(resolve(cwd, program));
  if (interpreter === undefined || existsSync(resolve(cwd, interpreter))) return;
  throw new UsageError(
    `the command ${program} cannot run: there is no ${JSON.stringify(interpreter)}, which its first line names`,
  );
}

/** Refuses an interpreter that is told to run a script that is not there. */
export function checkScript([program = "", script = ""]: readonly string[], cwd: string): void {
  if (!INTERPRETER.test(basename(program)) || !SCRIPT.test(script)) return;
  // A shell looks for a bare name on the PATH as well.
  const folders = script.includes("/") ? [] : (process.env.PATH ?? "").split(delimiter);
  if ([cwd, ...folders].some((folder) => existsSync(resolve(cwd, folder, script)))) return;
  throw new UsageError(`there is no file ${script} for ${program} to run`);
}

/** What the first line of a script names after `#!`; undefined where it names nothing or cannot be read. */
function interpreterOf(path: string): string | undefined {
  const start = Buffer.alloc(FIRST_LINE_BYTES);
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    const text = start.toString("utf8", 0, readSync(file, start));
    return /^#![ \t]*([^ \t\n]+)/.exec(text)?.[1];
  } finally {
    closeSync(file);
  }
}
