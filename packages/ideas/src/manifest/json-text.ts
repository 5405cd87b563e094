import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@coppice/engine/values";
import { layout } from "../run-layout.ts";
import { compareIds } from "../search/tree-state.ts";
import type { Manifest } from "./manifest.ts";

/** The content of `manifest.json`. */
export function manifestText(manifest: Manifest): string {
  return `${jsonText(manifest)}\n`;
}

/** The manifest that a run wrote last. */
export function readManifest(runRoot: string): Manifest {
  // Cast: written by this package.
  return JSON.parse(readFileSync(join(runRoot, layout.manifest), "utf8")) as Manifest;
}

/**
 * Pretty JSON with sorted keys, ids among them as numbers. A number that JSON cannot hold is an error: readers in other
 * languages would refuse the file, or worse, not.
 */
export function jsonText(value: unknown): string {
  const parts: string[] = [];
  write(value, "\n", LEVELS, parts);
  return parts.join("");
}

/** Levels written key by key; below, where no record has ids for keys, the runtime's own writer is ten times as fast. */
const LEVELS = 2;

function write(value: unknown, line: string, levels: number, parts: string[]): void {
  const keys = isRecord(value) ? sortedKeys(value) : [];
  const ids = keys.length > 0 && keys.every(isDigits);
  if (!isRecord(value) || (levels === 0 && !ids)) {
    parts.push(JSON.stringify(inOrder(value), null, 2).replaceAll("\n", line));
    return;
  }
  const inner = `${line}  `;
  for (const [index, key] of keys.entries()) {
    parts.push(index === 0 ? "{" : ",", inner, JSON.stringify(key), ": ");
    write(value[key], inner, ids ? levels : levels - 1, parts);
  }
  parts.push(keys.length === 0 ? "{}" : `${line}}`);
}

function inOrder(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${value} cannot be written as JSON`);
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  return Object.fromEntries(sortedKeys(value).map((key) => [key, inOrder(value[key])]));
}

function sortedKeys(value: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return keys.sort(keys.every(isDigits) ? compareIds : undefined);
}

function isDigits(key: string): boolean {
  return /^\d+$/.test(key);
}

/** Milliseconds since the epoch as text; null for a time that has not come. */
export function isoTime(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString();
}
