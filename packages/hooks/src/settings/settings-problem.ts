import { readFileSync } from "node:fs";
import { UsageError } from "@coppice/engine/usage-error";
import { type JsonText, readJsonText } from "@coppice/engine/user-files";

/** Something wrong or odd in a settings file. An error costs the element it names, never the rest. */
export interface Problem {
  readonly file: string;
  /** Place in the file; empty: the whole file. */
  readonly path: string;
  /** Known only where the file could not be parsed; otherwise looked up when someone wants to read it. */
  readonly line?: number;
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** One line for people: file, line, place and what would be right. */
export function describeProblem(problem: Problem): string {
  const place = problem.path === "" ? "" : `${problem.path}: `;
  return `${problem.file}:${problem.line ?? lineOf(problem.file, problem.path)}: ${place}${problem.message}`;
}

/** A settings file as it is written; undefined when it is not there or cannot be read, which those say who need its lists. */
export function settingsText(file: string): JsonText | undefined {
  try {
    return readJsonText(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** The line of a place in a settings file, 1 when the file has gone or changed beyond reading. */
export function lineOf(file: string, path: string): number {
  return settingsText(file)?.lineOf(path) ?? 1;
}

/** When nothing was found and a settings file cannot be read, that is what to say: its hooks are not missing. */
export function refuseUnreadable(found: readonly unknown[], problems: readonly Problem[]): void {
  const error = problems.find(({ severity }) => severity === "error");
  if (found.length === 0 && error !== undefined) throw new UsageError(describeProblem(error));
}
