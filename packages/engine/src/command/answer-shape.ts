import { isObject, isRecord } from "../values/plain-json.ts";
import { oneLine } from "./command-failed.ts";

/**
 * What an answer has to be: a number or null, or an object with a number or null for each of the names that the candidate
 * lists in this field.
 */
export type AnswerShape = "number" | { readonly numbersFor: string };

/** What is wrong with a program's value for a candidate, as half a line; undefined when nothing is. */
export function wrongValue(value: unknown, candidate: unknown, shape: AnswerShape | undefined): string | undefined {
  if (hasInfinite(value)) return "a number in it is too large";
  return shape === undefined ? undefined : wrongShape(value, candidate, shape);
}

/** The same of a value that was not read from text: a number may be infinite, or none. */
export function wrongShape(value: unknown, candidate: unknown, shape: AnswerShape): string | undefined {
  if (shape === "number") return isNumber(value) ? undefined : "a number or null is needed";
  if (!isRecord(value)) return "an object with a number or null for each name is needed";
  const names: unknown = isObject(candidate) ? candidate[shape.numbersFor] : undefined;
  for (const name of Array.isArray(names) ? names.map(String) : []) {
    if (!Object.hasOwn(value, name)) return `it has nothing for ${name}, which needs a number or null`;
    if (!isNumber(value[name])) return `${name} is ${oneLine(JSON.stringify(value[name]))}, but needs a number or null`;
  }
  return undefined;
}

/** Digits that no number can hold are read as infinite, which would win every comparison. */
function hasInfinite(value: unknown): boolean {
  // A list instead of recursion: an answer may be nested deeper than the stack.
  const parts = [value];
  for (const part of parts) {
    if (typeof part === "number" && !Number.isFinite(part)) return true;
    if (isObject(part)) for (const each of Object.values(part)) parts.push(each);
  }
  return false;
}

function isNumber(value: unknown): boolean {
  return value === null || typeof value === "number";
}
