import type { Price } from "../models-file.ts";

/** When the table was last compared with what providers publish. */
export const PRICES_DATE = "2026-10-16";

/** Public prices in US dollars per million tokens, [asked, answered]; dots and dates in names do not count. */
const table: Readonly<Record<string, readonly [input: number, output: number]>> = {
  "gpt-4-1": [2, 8],
  "gpt-4o": [2.5, 10],
  "gpt-4o-mini": [0.15, 0.6],
  "gpt-5": [1.25, 10],
  "gpt-5-mini": [0.25, 2],
  "gpt-5-nano": [0.05, 0.4],
  "gpt-5-1": [1.25, 10],
  "gpt-5-2": [1.75, 14],
  "gpt-5-4": [2.5, 15],
  "gpt-5-4-mini": [0.75, 4.5],
  "gpt-5-6-luna": [0.2, 1.2],
  "gpt-5-6-terra": [2, 12],
  "gpt-6-astra": [10, 50],
  "gpt-6-luna": [0.1, 0.5],
  "gpt-6-sol": [2, 10],
  "gpt-6-1-sol": [2, 10],
  "claude-opus-4-1": [15, 75],
  "claude-opus-4-5": [5, 25],
  "claude-opus-4-6": [5, 25],
  "claude-opus-4-7": [5, 25],
  "claude-opus-5": [5, 25],
  "claude-opus-5-5": [4, 20],
  "claude-sonnet-4": [3, 15],
  "claude-sonnet-4-5": [3, 15],
  "claude-sonnet-4-6": [3, 15],
  "claude-sonnet-5": [2, 10],
  "claude-sonnet-5-5": [2, 10],
  "claude-haiku-4-5": [1, 5],
  "gemini-2-5-flash": [0.3, 2.5],
  "gemini-2-5-flash-lite": [0.1, 0.4],
  "gemini-3-1-pro": [2, 12],
  "gemini-3-flash": [0.5, 3],
  "gemini-3-5-flash-lite": [0.3, 2.5],
};

/** Prices that rise with the length of what is asked: the higher one, so that no limit is kept by luck. */
const dearer: typeof table = {
  "claude-haiku-5-5": [0.5, 2.5],
  "gemini-2-5-pro": [2.5, 15],
};

const DATED = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$/;

/** What a provider that sells at public prices asks for a model; undefined when the table does not have it. */
export function publicPrice(model: string): Price | undefined {
  const name = model
    .slice(model.lastIndexOf("/") + 1)
    .replace(DATED, "")
    .replaceAll(".", "-");
  const listed = Object.hasOwn(table, name) ? table[name] : Object.hasOwn(dearer, name) ? dearer[name] : undefined;
  return listed === undefined ? undefined : { input: listed[0], output: listed[1] };
}
