import type { Goal, SearchSpace, StudyResult } from "@coppice/search";
import type { SamplingOptions } from "./sampling-options.ts";

/** A search by samples and what came of it. */
export interface Findings {
  readonly options: SamplingOptions;
  readonly space: SearchSpace;
  readonly goals: readonly Goal[];
  readonly result: StudyResult;
}

/** A number as people read it: six digits. */
export function figureText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
