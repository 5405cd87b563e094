import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { isFolder } from "../files/if-there.ts";
import { UsageError } from "../usage-error.ts";

/** Programs whose first argument is a script, unless it is an option. */
const INTERPRETER = /^(python|pypy|node|ruby|perl|php|lua|julia|Rscript|sh|bash|dash|ksh|zsh)[\d.]*$/;
/** Other words may mean something else: `node score` finds `score.js`. */
const SCRIPT = /^[^-].*\.([cm]?[jt]s|py|rb|pl|php|lua|jl|r|sh|bash|zsh)$/i;
/** Linux reads no more of a first line. */
const FIRST_LINE_BYTES = 256;

/** Refuses a program that is a script without its interpreter; the system would say that the script itself is not there. */
export function checkInterpreter(program: string, cwd: string, onPath: (program: string) => boolean): void {
  const [interpreter, ...words] = firstLineOf(resolve(cwd, program));
  if (interpreter === undefined) return;
  const there = existsSync(resolve(cwd, interpreter));
  const found = there && basename(interpreter) === "env" ? startedByEnv(words) : undefined;
  if (there && (found === undefined || found.includes("/") || onPath(found))) return;
  const missing = there ? `program ${JSON.stringify(found)} on the PATH` : JSON.stringify(interpreter);
  throw new UsageError(`the command ${program} cannot run: there is no ${missing}, which its first line names`);
}

/** What `env` is to find; undefined where it is told something that is not looked into here. */
function startedByEnv(words: readonly string[]): string | undefined {
  const [first] = words[0] === "-S" ? words.slice(1) : words;
  return first === undefined || /^-|=/.test(first) ? undefined : first;
}

/** Refuses an interpreter that is told to run a script that is not there, or a folder that it cannot run. */
export function checkScript([program = "", script = ""]: readonly string[], cwd: string): void {
  if (!INTERPRETER.test(basename(program)) || script.startsWith("-")) return;
  if (script !== "" && isFolder(resolve(cwd, script)) && !isRunnable(basename(program), resolve(cwd, script))) {
    throw new UsageError(`${script} is a folder: ${program} cannot run it`);
  }
  if (!SCRIPT.test(script)) return;
  // A shell looks for a bare name on the PATH as well.
  const folders = script.includes("/") ? [] : (process.env.PATH ?? "").split(delimiter);
  if ([cwd, ...folders].some((folder) => existsSync(resolve(cwd, folder, script)))) return;
  throw new UsageError(`there is no file ${script} for ${program} to run`);
}

/** Python and Node run folders that have an entry; `node score` is `score.js` before it is a folder. */
function isRunnable(interpreter: string, folder: string): boolean {
  const entries = /^py/.test(interpreter)
    ? [join(folder, "__main__.py")]
    : /^node/.test(interpreter)
      ? [join(folder, "package.json"), join(folder, "index.js"), `${folder}.js`]
      : [];
  return entries.some((path) => existsSync(path));
}

/** The words of a script's first line after `#!`; none where it names nothing or cannot be read. */
function firstLineOf(path: string): readonly string[] {
  const start = Buffer.alloc(FIRST_LINE_BYTES);
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return [];
  }
  try {
    const text = start.toString("utf8", 0, readSync(file, start));
    const [, words = ""] = /^#!([^\n]*)/.exec(text) ?? [];
    return words.split(/[ \t]+/).filter((word) => word !== "");
  } finally {
    closeSync(file);
  }
}
