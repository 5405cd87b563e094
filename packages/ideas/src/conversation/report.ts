import { lstatSync, readFileSync } from "node:fs";

/** More than any conversation of one call: what is larger is some other file. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_SESSION_CHARS = 1000;

/** A turn in a generator's own words. */
export interface ReportedEntry {
  readonly prompt?: string;
  readonly reply?: string;
  /** Name of the file in `{ideas}` that came of it. */
  readonly idea?: string;
}

/** What a generator left in `{conversationOut}`. */
export type LeftReport =
  | { readonly kind: "nothing" }
  | { readonly kind: "said"; readonly sessionId: string | null; readonly entries: readonly ReportedEntry[] }
  | { readonly kind: "broken"; readonly reason: string };

class Broken extends Error {}

/**
 * Reads `{conversationOut}`: one JSON object, or one per line as they are said. An object may hold `session_id`, and a
 * turn (`prompt`, `reply`, `idea`) or a list of them in `turns`. Fields we do not know are the generator's own.
 */
export function readReport(path: string): LeftReport {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { kind: "nothing" };
  if (!stat.isFile()) return { kind: "broken", reason: "it is not a regular file" };
  if (stat.size > MOST_BYTES) {
    return { kind: "broken", reason: `it has ${stat.size} bytes; a conversation has at most ${MOST_BYTES}` };
  }
  return parseReport(readFileSync(path, "utf8"));
}

export function parseReport(text: string): LeftReport {
  if (text.trim() === "") return { kind: "nothing" };
  let sessionId: string | null = null;
  const entries: ReportedEntry[] = [];
  try {
    for (const [where, value] of objectsIn(text)) {
      sessionId = sessionOf(value, where) ?? sessionId;
      for (const [place, turn] of turnsOf(value, where)) {
        const entry = entryOf(turn, place);
        if (Object.keys(entry).length > 0) entries.push(entry);
      }
    }
  } catch (error) {
    if (error instanceof Broken) return { kind: "broken", reason: error.message };
    throw error;
  }
  return { kind: "said", sessionId, entries };
}

type Fields = Readonly<Record<string, unknown>>;

/** The whole as one object, or else the object of every line. */
function objectsIn(text: string): (readonly [where: string, value: Fields])[] {
  const whole = parsed(text);
  if (whole !== undefined) return [["it", recordOf(whole, "it")]];
  return text
    .split("\n")
    .map((line, index) => [`line ${index + 1}`, line] as const)
    .filter(([, line]) => line.trim() !== "")
    .map(([where, line]) => [where, recordOf(parsed(line), where)]);
}

function turnsOf(value: Fields, where: string): (readonly [place: string, turn: Fields])[] {
  const { turns } = value;
  if (turns === undefined || turns === null) return [[where, value]];
  if (!Array.isArray(turns)) throw new Broken(`${where}: turns is not a list`);
  return turns.map((turn, index) => {
    const place = `${where}: turn ${index + 1}`;
    return [place, recordOf(turn, place)];
  });
}

function sessionOf({ session_id: session }: Fields, where: string): string | undefined {
  if (session === undefined || session === null) return undefined;
  if (typeof session === "string" && session !== "" && session.length <= MOST_SESSION_CHARS) {
    return session.toWellFormed();
  }
  throw new Broken(`${where}: session_id is not a text of 1 to ${MOST_SESSION_CHARS} characters`);
}

function entryOf(turn: Fields, where: string): ReportedEntry {
  const entry: { -readonly [Field in keyof ReportedEntry]: ReportedEntry[Field] } = {};
  for (const field of ["prompt", "reply", "idea"] as const) {
    const said = turn[field];
    if (said === undefined || said === null) continue;
    if (typeof said !== "string") throw new Broken(`${where}: ${field} is not a text`);
    entry[field] = said.toWellFormed();
  }
  return entry;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown, where: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Broken(`${where} is not a JSON object`);
}
