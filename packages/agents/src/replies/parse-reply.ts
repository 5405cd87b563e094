import { isRecord } from "@coppice/engine/values";
import { jsonValuesIn } from "./json-in-text.ts";
import { type Mention, type Reply, type Verdict, verdicts } from "./reply.ts";

/** Takes a persona's answer apart: JSON if there is any, labelled lines otherwise, and else the prose as it is. */
export function parseReply(text: string): Reply {
  for (const value of jsonValuesIn(text)) {
    if (isRecord(value) && field(value, "verdict") !== undefined) return fromJson(value);
  }
  const labelled = sections(text);
  return labelled.has("VERDICT") ? fromSections(labelled) : { ...nothing, reasoning: text.trim(), form: "prose" };
}

/** A reply that says nothing. */
export const nothing: Omit<Reply, "reasoning" | "form"> = {
  verdict: null,
  confidence: 0,
  conviction: 50,
  infoNeeded: [],
  escalateTo: [],
  agreesWith: [],
  disagreesWith: [],
  changedPosition: null,
  blockers: [],
  recruits: [],
};

// ── JSON ────────────────────────────────────────────────────────────────────────────────────────────────────

type Json = Readonly<Record<string, unknown>>;

/** A field by its name, however the model spelt it: `info_needed`, `infoNeeded`, `INFO_NEEDED`. */
export function field(json: Json, name: string): unknown {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  return Object.entries(json).find(([key]) => plain(key) === plain(name))?.[1];
}

function fromJson(json: Json): Reply {
  const reasoning = field(json, "reasoning");
  const changed = field(json, "changed_position");
  return {
    verdict: verdictOf(field(json, "verdict")),
    confidence: percent(field(json, "confidence"), 0),
    conviction: percent(field(json, "conviction"), 50),
    reasoning: Array.isArray(reasoning) ? reasoning.map(String).join("\n") : text(reasoning),
    infoNeeded: texts(field(json, "info_needed")),
    escalateTo: mentions(field(json, "escalate_to")),
    agreesWith: texts(field(json, "agrees_with")).map(personaName),
    disagreesWith: mentions(field(json, "disagrees_with")),
    changedPosition: text(changed) === "" ? null : text(changed),
    blockers: texts(field(json, "blockers")),
    recruits: mentions(field(json, "recruits")),
    form: "json",
  };
}

function verdictOf(value: unknown): Verdict | null {
  const word = text(value)
    .toUpperCase()
    .replace(/[^A-Z]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return verdicts.find((verdict) => verdict === word) ?? null;
}

/** Clamped to 0…100; `"80 %"` is 80. */
function percent(value: unknown, otherwise: number): number {
  const found = typeof value === "number" ? value : Number.parseFloat(text(value));
  return Number.isNaN(found) ? otherwise : Math.min(100, Math.max(0, found));
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
}

/** A list of texts, or one text, or nothing; "none" is nothing. */
function texts(value: unknown): string[] {
  const items = Array.isArray(value) ? value.map(text) : text(value).split("\n");
  return items.map(withoutBullet).filter((item) => item !== "" && !/^(none|n\/a|null|-)\.?$/i.test(item));
}

export function mentions(value: unknown): Mention[] {
  const items: unknown[] = Array.isArray(value) ? value : isRecord(value) ? [value] : texts(value);
  return items
    .map((item): Mention => {
      if (!isRecord(item)) return mentionIn(text(item));
      const why = field(item, "why") ?? field(item, "reason");
      return { persona: personaName(text(field(item, "persona") ?? field(item, "name"))), why: text(why) };
    })
    .filter(({ persona }) => persona !== "" && persona !== "none");
}

/** `security - handles user data` */
function mentionIn(item: string): Mention {
  const found = /^([\w-]+?)(?:\s+[-–—]+\s*|\s*:\s*|$)(.*)$/s.exec(withoutBullet(item));
  return found === null
    ? { persona: "", why: "" }
    : { persona: personaName(found[1] ?? ""), why: (found[2] ?? "").trim() };
}

function personaName(name: string): string {
  return name.trim().toLowerCase();
}

function withoutBullet(line: string): string {
  return line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim();
}

// ── labelled lines ──────────────────────────────────────────────────────────────────────────────────────────

const LABELS =
  "VERDICT|CONFIDENCE|CONVICTION|REASONING|INFO_NEEDED|ESCALATE_TO|AGREES_WITH|DISAGREES_WITH|CHANGED_POSITION|BLOCKERS|RECRUITS";
/** A label at the start of a line, perhaps in bold or as a heading. */
const LABEL = new RegExp(`^[\\s*#>-]*(${LABELS})\\b[*\\s]*[:=]?[*\\s]*(.*)$`, "i");

/** The text under each label, up to the next one. */
function sections(content: string): Map<string, string> {
  const found = new Map<string, string>();
  let current: string | undefined;
  for (const line of content.split("\n")) {
    const label = LABEL.exec(line);
    if (label !== null) {
      current = label[1].toUpperCase();
      if (!found.has(current)) found.set(current, label[2]);
    } else if (current !== undefined) found.set(current, `${found.get(current) ?? ""}\n${line}`);
  }
  return found;
}

function fromSections(labelled: ReadonlyMap<string, string>): Reply {
  const section = (label: string) => (labelled.get(label) ?? "").trim();
  const lines = (label: string) => texts(section(label));
  const names = (label: string) =>
    section(label)
      .split(/[,\n]/)
      .map((name) => personaName(withoutBullet(name)))
      .filter((name) => name !== "" && name !== "none");
  const changed = section("CHANGED_POSITION");
  return {
    verdict: verdictOf(section("VERDICT").split(/[\n(,.;]| - /)[0]),
    confidence: percent(section("CONFIDENCE"), 0),
    conviction: percent(section("CONVICTION"), 50),
    reasoning: section("REASONING"),
    infoNeeded: lines("INFO_NEEDED"),
    escalateTo: mentions(section("ESCALATE_TO")),
    agreesWith: names("AGREES_WITH"),
    disagreesWith: mentions(section("DISAGREES_WITH")),
    changedPosition: /^(none|no)?\.?$/i.test(changed) ? null : changed,
    blockers: lines("BLOCKERS"),
    recruits: mentions(section("RECRUITS")),
    form: "labels",
  };
}
