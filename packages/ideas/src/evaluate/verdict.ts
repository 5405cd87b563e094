/** Issues are part of an outcome, and nobody mends more than this in a round. */
const MAX_ISSUES = 100;
const MAX_ISSUE_LENGTH = 1000;

/** What a reviewer said. */
export interface Review {
  readonly verdict: "approve" | "reject" | "unknown";
  readonly issues: readonly string[];
}

/**
 * Reads a review: the verdict is APPROVE or REJECT in the first line that is not blank (both: rejected), the issues are
 * the lines between `ISSUES:` and `NOTES:`.
 */
export function readReview(text: string): Review {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return { verdict: verdictIn(first), issues: issuesIn(lines) };
}

/** From the second round on a reviewer may insist, not think of something new: issues that round 0 did not have are dropped. */
export function knownIssues(issues: readonly string[], firstRound: readonly string[]): string[] {
  const known = new Set(firstRound.map(normalised));
  return issues.filter((issue) => known.has(normalised(issue)));
}

function verdictIn(line: string): Review["verdict"] {
  if (/\bREJECT(ED)?\b/i.test(line)) return "reject";
  return /\bAPPROVED?\b/i.test(line) ? "approve" : "unknown";
}

function issuesIn(lines: readonly string[]): string[] {
  const begin = lines.findIndex((line) => /^\s*ISSUES:/i.test(line));
  if (begin === -1) return [];
  const end = lines.findIndex((line, i) => i > begin && /^\s*NOTES:/i.test(line));
  const body = [lines[begin].replace(/^\s*ISSUES:/i, ""), ...lines.slice(begin + 1, end === -1 ? undefined : end)];
  const issues = body.map((line) => line.trim()).filter((line) => line !== "" && !/^[-*]?\s*none\.?$/i.test(line));
  return issues.slice(0, MAX_ISSUES).map((issue) => issue.slice(0, MAX_ISSUE_LENGTH));
}

function normalised(issue: string): string {
  return issue.replace(/\s+/g, " ").trim().toLowerCase();
}
