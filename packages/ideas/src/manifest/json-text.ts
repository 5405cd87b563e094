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
export function jsonText(value: unknown, indent = ""): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error(`${value} cannot be written as JSON`);
    return JSON.stringify(value);
  }
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => `${inner}${jsonText(item, inner)}`).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value as Record<string, unknown>).filter(([, field]) => field !== undefined);
  if (entries.length === 0) return "{}";
  entries.sort(([a], [b]) => compareKeys(a, b));
  return `{\n${entries.map(([key, field]) => `${inner}${JSON.stringify(key)}: ${jsonText(field, inner)}`).join(",\n")}\n${indent}}`;
}

const DIGITS = /^\d+$/;

function compareKeys(a: string, b: string): number {
  if (DIGITS.test(a) && DIGITS.test(b)) return compareIds(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
