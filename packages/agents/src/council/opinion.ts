/** What a persona may say of a proposal, in the order of the reply format. */
export const verdicts = ["PROCEED", "CONDITIONAL_GO", "STOP", "ABSTAIN", "ESCALATE"] as const;
export type Verdict = (typeof verdicts)[number];

/** Somebody or something named, and why. */
export interface Named {
  readonly name: string;
  readonly why: string;
}

/** One persona's position in one round, as read from its reply. */
export interface Opinion {
  /** Null when the reply has no verdict, or one that does not exist. */
  readonly verdict: Verdict | null;
  /** 0–100; 0 when it was not given. */
  readonly confidence: number;
  /** 0–100; 50 when it was not given. */
  readonly conviction: number;
  readonly reasoning: string;
  readonly infoNeeded: readonly string[];
  readonly escalations: readonly Named[];
  readonly agreesWith: readonly string[];
  readonly disagreesWith: readonly Named[];
  readonly changedPosition: string | null;
  readonly blockers: readonly string[];
  readonly recruits: readonly Named[];
  /** How the reply was read: as JSON, by its labels, or guessed from prose. */
  readonly readFrom: "json" | "labels" | "prose";
}

const DEFAULT_CONFIDENCE = 0;
const DEFAULT_CONVICTION = 50;

/** A verdict as people and models write it; null when there is no such verdict. */
export function verdictOf(text: string): Verdict | null {
  const word = text
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, "_")
    .replace(/[^A-Z_]/g, "");
  return verdicts.find((verdict) => verdict === word) ?? null;
}

/** A percentage as models write it (`85`, `85%`, `85/100`), kept within 0–100; `otherwise` when there is none. */
function percentOf(value: unknown, otherwise: number): number {
  const digits = typeof value === "number" ? value : Number.parseFloat(String(value ?? "").replace(/^[^\d.+-]+/, ""));
  return Number.isFinite(digits) ? Math.min(100, Math.max(0, digits)) : otherwise;
}

export const confidenceOf = (value: unknown): number => percentOf(value, DEFAULT_CONFIDENCE);
export const convictionOf = (value: unknown): number => percentOf(value, DEFAULT_CONVICTION);

/** `security - knows the key store` as name and reason. */
export function namedOf(text: string): Named {
  const [, name = "", why = ""] = /^\s*(.+?)\s*(?:(?:\s[-–—]+|:)\s+(.*))?$/s.exec(text) ?? [];
  return { name: personaName(name), why: why.trim() };
}

/** Personas are named in lower case, whatever a model makes of it. */
export function personaName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "")
    .replace(/[\s_]+/g, "-");
}

/** The position of a persona that could not be asked: it abstains and weighs nothing. */
export function absent(reason: string): Opinion {
  return {
    verdict: "ABSTAIN",
    confidence: 0,
    conviction: DEFAULT_CONVICTION,
    reasoning: reason,
    infoNeeded: [],
    escalations: [],
    agreesWith: [],
    disagreesWith: [],
    changedPosition: null,
    blockers: [],
    recruits: [],
    readFrom: "prose",
  };
}
