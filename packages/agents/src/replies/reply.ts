/** What a persona can conclude. */
export const verdicts = ["PROCEED", "CONDITIONAL_GO", "STOP", "ABSTAIN", "ESCALATE"] as const;
export type Verdict = (typeof verdicts)[number];

/** Someone else, and why. */
export interface Mention {
  readonly persona: string;
  readonly why: string;
}

/** A persona's answer, taken apart. */
export interface Reply {
  /** Null when none was given, or one that does not exist. */
  readonly verdict: Verdict | null;
  /** How sure, 0 to 100; 0 when it was not said. */
  readonly confidence: number;
  /** How much it matters to the persona, 0 to 100; 50 when it was not said. */
  readonly conviction: number;
  readonly reasoning: string;
  readonly infoNeeded: readonly string[];
  readonly escalateTo: readonly Mention[];
  readonly agreesWith: readonly string[];
  readonly disagreesWith: readonly Mention[];
  /** From one verdict to another, in the persona's own words. */
  readonly changedPosition: string | null;
  readonly blockers: readonly string[];
  readonly recruits: readonly Mention[];
  /** Where it was read from: a JSON object, labelled lines (a fallback), or plain prose with nothing to read. */
  readonly form: "json" | "labels" | "prose";
}

/** What a persona is told about the form of its reply; `parseReply` reads it back. */
export const REPLY_FORM = `Reply with one JSON object and nothing else:
{
  "verdict": "PROCEED" | "CONDITIONAL_GO" | "STOP" | "ABSTAIN" | "ESCALATE",
  "confidence": 0 to 100, how sure you are that the verdict is right,
  "conviction": 0 to 100, how strongly it should count,
  "reasoning": "your reasons, the most important first, in plain sentences",
  "info_needed": ["a question whose answer would change your verdict"],
  "blockers": ["what must be resolved before anyone may proceed"],
  "agrees_with": ["persona"],
  "disagrees_with": [{ "persona": "name", "why": "in one sentence" }],
  "changed_position": "from → to, and why; only if you changed your verdict",
  "escalate_to": [{ "persona": "name", "why": "in one sentence" }],
  "recruits": [{ "persona": "name", "why": "in one sentence" }]
}
Leave out fields that do not apply. ABSTAIN when the matter is outside your field.`;
