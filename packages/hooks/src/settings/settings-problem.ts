import { readFileSync } from "node:fs";
import type { Problem } from "./hook.ts";
import { readJsonText } from "./lenient-json.ts";

/** One line for people: file, line, place and what would be right. */
export function describeProblem(problem: Problem): string {
  const place = problem.path === "" ? "" : `${problem.path}: `;
  return `${problem.file}:${problem.line ?? lineOf(problem.file, problem.path)}: ${place}${problem.message}`;
}

/** The line of a place in a settings file, 1 when the file has gone or changed beyond reading. */
export function lineOf(file: string, path: string): number {
  try {
    return readJsonText(readFileSync(file, "utf8")).lineOf(path);
  } catch {
    return 1;
  }
}
