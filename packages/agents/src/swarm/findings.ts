import { jsonValuesIn } from "../replies/json-in-text.ts";
import { field, isRecord } from "../replies/parse-reply.ts";
import type { Reply } from "../replies/reply.ts";

export const severities = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof severities)[number];

/** A defect that a review names. */
export interface Finding {
  readonly severity: Severity;
  /** 1-based; null when it was not said. */
  readonly line: number | null;
  readonly finding: string;
}

/** The findings of one review, and how they were read: from JSON, from labelled lines (a fallback), or not at all. */
export interface ReviewReading {
  readonly findings: readonly Finding[];
  readonly form: Reply["form"];
}

/** A line that begins with a severity and a colon or dash: `- HIGH: line 4: …`. Severities within sentences do not count. */
const LABELLED = /^[\s*#>-]*\b(critical|high|medium|low)\b[\s*]*(?::|-|–|—)\s*(.+)$/i;

/** Reads a review. Prose without labelled lines has no findings that could be counted, whatever words are in it. */
export function readFindings(text: string): ReviewReading {
  const objects = jsonValuesIn(text)
    .flatMap((value): unknown[] => (Array.isArray(value) ? value : isRecord(value) ? nested(value) : []))
    .filter(isRecord)
    .filter((object) => field(object, "severity") !== undefined);
  if (objects.length > 0 || /^\s*(\[\s*\]|\{\s*"findings"\s*:\s*\[\s*\]\s*\})\s*$/.test(text)) {
    return { form: "json", findings: objects.map(findingOf).filter((finding) => finding !== undefined) };
  }
  const labelled = text
    .split("\n")
    .map((line) => LABELLED.exec(line))
    .filter((found) => found !== null)
    .map((found) =>
      findingOf({ severity: found[1], finding: found[2].trim(), line: /\bline (\d+)/i.exec(found[2])?.[1] }),
    )
    .filter((finding) => finding !== undefined);
  return labelled.length > 0 ? { form: "labels", findings: labelled } : { form: "prose", findings: [] };
}

/** `{"findings": […]}` is as good as the list itself. */
function nested(value: Readonly<Record<string, unknown>>): unknown[] {
  const findings = field(value, "findings");
  return Array.isArray(findings) ? findings : [value];
}

function findingOf(object: Readonly<Record<string, unknown>>): Finding | undefined {
  const word = String(field(object, "severity")).trim().toLowerCase();
  const severity = severities.find((each) => each === word);
  if (severity === undefined) return undefined;
  const line = Number(field(object, "line"));
  const said = field(object, "finding") ?? field(object, "message") ?? field(object, "description");
  return {
    severity,
    line: Number.isSafeInteger(line) && line > 0 ? line : null,
    finding: typeof said === "string" ? said.trim() : "",
  };
}
