import type { Configuration } from "../tournament/parameter.ts";

/** What is wanted of a value. */
export interface Goal {
  /** Its field in the value, where there are several; also what people call it. */
  readonly name: string;
  readonly better: "lower" | "higher";
}

/** One trial as a report has it; objectives as they were, in the order of the goals. */
export interface TrialRow {
  readonly point: Configuration;
  /** Null when it has none: `failure` says why. */
  readonly values: readonly number[] | null;
  /** Standard deviations over repeated evaluations. */
  readonly spread?: readonly number[];
  readonly failure?: string;
  /** How much of the budget it was given, where there is one. */
  readonly budget?: number;
}

/** What a study found. */
export interface StudyResult {
  readonly trials: readonly TrialRow[];
  readonly failed: number;
  /** The first of the best trials, by number, of one objective. */
  readonly best: number | null;
  /** Of several objectives: the trials that none is better than in all, by number. */
  readonly front?: readonly number[];
  /** Why it ended. */
  readonly ended: string;
}

/** Reads what an evaluation returned: a number, or an object with a number for each goal; otherwise what is wrong with it. */
export function readValues(value: unknown, goals: readonly Goal[]): readonly number[] | string {
  if (goals.length === 1 && (typeof value === "number" || value === null || typeof value !== "object")) {
    return typeof value === "number" && Number.isFinite(value) ? [value] : `the value is ${shown(value)}, not a number`;
  }
  if (typeof value !== "object" || value === null) {
    return `the value is ${shown(value)}, not an object with ${goals.map(({ name }) => name).join(", ")}`;
  }
  const values: number[] = [];
  for (const { name } of goals) {
    const own = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    if (typeof own !== "number" || !Number.isFinite(own)) {
      return own === undefined ? `${name} is missing` : `${name} is ${shown(own)}, not a number`;
    }
    values.push(own);
  }
  return values;
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value)).slice(0, 40);
}
