import type { Comparison, Grade } from "../contract.ts";

/** What a pretended evaluation comes to. */
export interface Scenario {
  readonly shouldExplore: boolean;
  readonly grade: Grade;
  readonly primaryDelta: number;
  readonly score: number | null;
  /** Rows of the pretended sweep that failed. */
  readonly errorRows: number;
}

/** By the evaluation's number modulo seven: each way to pass or to fail the gate. */
const scenarios: readonly Scenario[] = [
  { shouldExplore: true, grade: "strong", primaryDelta: 0.02, score: 1, errorRows: 0 },
  { shouldExplore: false, grade: "mixed", primaryDelta: 0, score: 0.8, errorRows: 0 },
  { shouldExplore: false, grade: "weak", primaryDelta: 0.01, score: 0.4, errorRows: 0 },
  { shouldExplore: true, grade: "promising", primaryDelta: -0.0001, score: 0.9, errorRows: 0 },
  { shouldExplore: true, grade: "promising", primaryDelta: 0.01, score: null, errorRows: 0 },
  { shouldExplore: true, grade: "promising", primaryDelta: 0.01, score: 0.7, errorRows: 1 },
  { shouldExplore: true, grade: "promising", primaryDelta: 0.005, score: 0.6, errorRows: 0 },
];

export function scenarioOf(evalId: string): Scenario {
  return scenarios[Number(evalId) % scenarios.length];
}

export function comparisonOf(scenario: Scenario, rows: number): Comparison {
  const { shouldExplore, grade, primaryDelta, score } = scenario;
  return { shouldExplore, grade, score, primaryDelta, baselineRows: rows, candidateRows: rows, reasons: ["dry run"] };
}
