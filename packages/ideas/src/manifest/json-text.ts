import { compareIds } from "../plan/tree-id.ts";
import type { Manifest } from "./manifest.ts";

/** The content of `manifest.json`. */
export function manifestText(manifest: Manifest): string {
  return `${jsonText(manifest)}\n`;
}

/**
 * Pretty JSON with sorted keys, ids among them as numbers. A number that JSON cannot hold is an error: readers in other
 * languages would refuse the file, or worse, not.
 */
export function jsonText(value: unknown): string {
  const parts: string[] = [];
  write(value, "\n", parts);
  return parts.join("");
}

/** Appends pieces to one list: a text put together level by level would be copied once per level. */
function write(value: unknown, line: string, parts: string[]): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${value} cannot be written as JSON`);
  if (value === null || typeof value !== "object") {
    parts.push(JSON.stringify(value));
    return;
  }
  const inner = `${line}  `;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      parts.push(index === 0 ? "[" : ",", inner);
      write(item, inner, parts);
    }
    parts.push(value.length === 0 ? "[]" : `${line}]`);
    return;
  }
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined);
  keys.sort(keys.every((key) => DIGITS.test(key)) ? compareIds : undefined);
  for (const [index, key] of keys.entries()) {
    parts.push(index === 0 ? "{" : ",", inner, JSON.stringify(key), ": ");
    write(fields[key], inner, parts);
  }
  parts.push(keys.length === 0 ? "{}" : `${line}}`);
}

const DIGITS = /^\d+$/;
