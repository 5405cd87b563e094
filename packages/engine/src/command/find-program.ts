import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { isExecutable, statIfThere } from "../files/if-there.ts";
import { UsageError } from "../usage-error.ts";
import { checkInterpreter } from "./check-script.ts";
import { oneLine } from "./command-failed.ts";

/** Refuses a program that could not be started, in one line and before anything is touched. */
export function checkProgram(program: string, cwd: string): void {
  if (program.includes("/")) {
    const path = resolve(cwd, program);
    const there = statIfThere(path);
    if (there === undefined) throw new UsageError(`there is no program ${oneLine(program)} to run as a command`);
    if (!there.isFile()) throw new UsageError(`the command ${program} is not a file`);
    if (isExecutable(path)) {
      checkInterpreter(program, cwd, (interpreter) => isOnPath(interpreter, cwd));
      return;
    }
    throw new UsageError(`the command ${program} is not executable: chmod +x it, or name its interpreter first`);
  }
  if (isOnPath(program, cwd)) return;
  const here = existsSync(resolve(cwd, program)) ? `; the file here is ./${program}` : "";
  throw new UsageError(`there is no program ${oneLine(program)} to run as a command: it is not on the PATH${here}`);
}

function isOnPath(program: string, cwd: string): boolean {
  const places = (process.env.PATH ?? "").split(delimiter).map((folder) => resolve(cwd, folder, program));
  return places.some((path) => isFile(path) && isExecutable(path));
}

/** The files of the project that a command names: its script, and what it is told to read (`x.json`, `--config=x.json`). */
export function filesNamed(command: readonly string[], cwd: string): string[] {
  const root = projectAround(cwd);
  const named = command.flatMap((word) => {
    const value = /^-[^=]*=(.+)$/s.exec(word)?.[1];
    return value === undefined ? [word] : [word, value];
  });
  return [...new Set(named.map((word) => resolve(cwd, word)))].filter((path) => isFile(path) && isBelow(path, root));
}

/** Where the project begins that a folder is in: a repository, a package, or the folder itself. */
function projectAround(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, ".git")) || existsSync(join(at, "package.json"))) return at;
    if (at === dirname(at)) return resolve(folder);
  }
}

function isBelow(path: string, root: string): boolean {
  return realpathSync(path).startsWith(join(realpathSync(root), sep));
}

function isFile(path: string): boolean {
  return statIfThere(path)?.isFile() === true;
}
