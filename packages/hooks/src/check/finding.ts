import { describeProblem, type Problem } from "../settings/settings-problem.ts";

/** Something to mend (an error) or to know (a remark). */
export interface Finding {
  readonly severity: "error" | "remark";
  readonly text: string;
}

export const error = (text: string): Finding => ({ severity: "error", text });
export const remark = (text: string): Finding => ({ severity: "remark", text });

export function problemFinding(problem: Problem): Finding {
  return (problem.severity === "error" ? error : remark)(describeProblem(problem));
}
