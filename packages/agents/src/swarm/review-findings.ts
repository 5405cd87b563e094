import { isRecord } from "@coppice/engine/values";
import { checkCitations } from "../digest/citations.ts";
import { jsonValuesIn } from "../replies/json-in-text.ts";
import { field } from "../replies/parse-reply.ts";
import type { Reply } from "../replies/reply.ts";

/** The severities that reviews are asked for, worst first. */
export const severities = ["critical", "high", "medium", "low"] as const;

/** A defect that a review names. */
export interface Finding {
  /** In lower case; models also use words that they were not asked for (`info`, `major`). */
  readonly severity: string;
  /** 1-based; null when it was not said, or when there is no such line. */
  readonly line: number | null;
  readonly finding: string;
  /** Places that were cited and do not exist. */
  readonly removedCitations: readonly string[];
}

/** The findings of one review, and how they were read: from JSON, from labelled lines (a fallback), or not at all. */
export interface ReviewReading {
  readonly findings: readonly Finding[];
  readonly form: Reply["form"];
}

/** A line that begins with a severity and a colon or dash: `- HIGH: line 4: …`. Severities within sentences do not count. */
const LABELLED =
  /^[\s*#>-]*\b(critical|blocker|high|major|medium|moderate|low|minor|info|nit)\b[\s*]*(?::|-|–|—)\s*(.+)$/i;

/** A file that was reviewed, to check citations by. */
export interface Reviewed {
  readonly path: string;
  readonly lineCount: number;
}

/**
 * Reads a review. Prose without labelled lines has no findings that could be counted, whatever words are in it. Lines
 * that the file does not have are taken out: models invent them.
 */
export function readFindings(text: string, file?: Reviewed): ReviewReading {
  const objects = jsonValuesIn(text)
    .flatMap((value): unknown[] => (Array.isArray(value) ? value : isRecord(value) ? nested(value) : []))
    .filter(isRecord)
    .filter((object) => field(object, "severity") !== undefined);
  if (objects.length > 0 || /^\s*(\[\s*\]|\{\s*"findings"\s*:\s*\[\s*\]\s*\})\s*$/.test(text)) {
    return {
      form: "json",
      findings: objects.map((object) => findingOf(object, file)).filter((finding) => finding !== undefined),
    };
  }
  const labelled = text
    .split("\n")
    .map((line) => LABELLED.exec(line))
    .filter((found) => found !== null)
    .map((found) =>
      findingOf({ severity: found[1], finding: found[2].trim(), line: /\bline (\d+)/i.exec(found[2])?.[1] }, file),
    )
    .filter((finding) => finding !== undefined);
  return labelled.length > 0 ? { form: "labels", findings: labelled } : { form: "prose", findings: [] };
}

/** `{"findings": […]}` is as good as the list itself. */
function nested(value: Readonly<Record<string, unknown>>): unknown[] {
  const findings = field(value, "findings");
  return Array.isArray(findings) ? findings : [value];
}

function findingOf(object: Readonly<Record<string, unknown>>, file: Reviewed | undefined): Finding | undefined {
  const severity = String(field(object, "severity")).trim().toLowerCase();
  if (severity === "" || severity === "none" || severity === "null") return undefined;
  const line = Number(field(object, "line"));
  const said = field(object, "finding") ?? field(object, "message") ?? field(object, "description");
  const finding = typeof said === "string" ? said.trim() : "";
  const cited = Number.isSafeInteger(line) && line > 0 ? line : null;
  if (file === undefined) return { severity, line: cited, finding, removedCitations: [] };
  const checked = checkCitations(finding, file.path, file.lineCount);
  const exists = cited === null || cited <= file.lineCount;
  return {
    severity,
    line: exists ? cited : null,
    finding: checked.text,
    removedCitations: [...(exists ? [] : [`${file.path}:${cited}`]), ...checked.removed],
  };
}
