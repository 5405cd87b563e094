import { isRecord, parsedJson } from "@coppice/engine/values";
import type { Comparison, Grade } from "../contract.ts";
import { EXPLORE_SCORE, gradeOf } from "./compare.ts";

/** What a score command printed cannot be read as a comparison. */
export class ScoreUnreadable extends Error {
  override readonly name = "ScoreUnreadable";
}

const grades: readonly Grade[] = ["strong", "promising", "mixed", "weak"];

/**
 * Reads the JSON object a score command prints as its last line: `score` is needed; `primaryDelta` (else the score),
 * `grade`, `shouldExplore` (else by the score), `baselineRows`, `candidateRows` and `reasons` may be given.
 */
export function readComparison(printed: string): Comparison {
  const line = printed.trim().split("\n").at(-1) ?? "";
  const said = [printed, line].map(parsedJson).find(isRecord);
  if (said === undefined) throw new ScoreUnreadable("the score command must print one JSON object, as its last line");
  const score = number(said, "score");
  if (score === null) throw new ScoreUnreadable('the score command\'s JSON needs a number in "score"');
  const { grade, shouldExplore, reasons } = said;
  if (grade !== undefined && !grades.includes(grade as Grade)) {
    throw new ScoreUnreadable(`"grade" must be one of ${grades.join(", ")}, not ${JSON.stringify(grade)}`);
  }
  return {
    shouldExplore: typeof shouldExplore === "boolean" ? shouldExplore : score >= EXPLORE_SCORE,
    grade: (grade as Grade | undefined) ?? gradeOf(score),
    score,
    primaryDelta: number(said, "primaryDelta") ?? score,
    baselineRows: number(said, "baselineRows"),
    candidateRows: number(said, "candidateRows"),
    reasons: Array.isArray(reasons) ? reasons.map(String) : [],
  };
}

function number(said: Readonly<Record<string, unknown>>, field: string): number | null {
  const value = said[field];
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new ScoreUnreadable(`"${field}" must be a finite number, not ${JSON.stringify(value)}`);
}
