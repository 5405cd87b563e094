import { isDeepStrictEqual } from "node:util";
import { type JsonText, readJsonText } from "./lenient-json.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A piece of a text that is replaced. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * A JSON text changed to hold `next`: only what differs is written anew, in the indentation and with the line ends the
 * text has; comments, order and everything else stay. What `donor` has at the same place with the same value is taken
 * from there as it is written.
 */
export function editedText(text: string, next: Fields, donor?: string): string {
  const now = readJsonText(text);
  const edits = editsOf(
    { text, now, donor: donor === undefined ? undefined : readJsonText(donor), donorText: donor },
    "",
    now.value,
    next,
  );
  let edited = text;
  for (const { start, end, text: piece } of edits.toSorted((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + piece + edited.slice(end);
  }
  // Keys with dots or that occur twice may have misled us; then the whole is written anew.
  return isDeepStrictEqual(readJsonText(edited).value, next) ? edited : writtenLike(text, next);
}

/** A value as the whole of a file, in the style of a text that is there. */
export function writtenLike(text: string | undefined, value: object): string {
  const mark = text?.startsWith("\ufeff") ? "\ufeff" : "";
  return `${mark}${rendered(value, { unit: unitOf(text ?? "") ?? "  ", base: "", newline: newlineOf(text ?? "") })}${newlineOf(text ?? "")}`;
}

interface Texts {
  readonly text: string;
  readonly now: JsonText;
  readonly donor: JsonText | undefined;
  readonly donorText: string | undefined;
}

function editsOf(texts: Texts, path: string, before: unknown, next: unknown): readonly Edit[] {
  if (isDeepStrictEqual(before, next)) return [];
  const span = texts.now.spanOf(path);
  const [had, has] = [fieldsOf(before), fieldsOf(next)];
  if (span === undefined) return [];
  const whole = (): readonly Edit[] => [{ ...span, text: pieceFor(texts, path, next, span.key) }];
  if (had === undefined || has === undefined) return whole();
  const keys = Object.keys(had);
  const gone = keys.filter((key) => !Object.hasOwn(has, key));
  const added = Object.keys(has).filter((key) => !Object.hasOwn(had, key));
  if (gone.length > 1 || gone.length === keys.length || (gone.length > 0 && added.length > 0)) return whole();
  const inside = (key: string): string => (path === "" ? key : `${path}.${key}`);
  return [
    ...keys.filter((key) => Object.hasOwn(has, key)).flatMap((key) => editsOf(texts, inside(key), had[key], has[key])),
    ...gone.flatMap((key) => removal(texts.now, keys.map(inside), keys.indexOf(key))),
    ...addition(texts, inside, keys, added, has),
  ];
}

/** Takes a member out with the comma that belonged to it. */
function removal(now: JsonText, paths: readonly string[], index: number): readonly Edit[] {
  const [before, own, after] = [paths[index - 1], paths[index], paths[index + 1]].map((path) =>
    now.spanOf(path ?? "\0"),
  );
  if (own === undefined) return [];
  if (before !== undefined) return [{ start: before.end, end: own.end, text: "" }];
  return after === undefined ? [] : [{ start: own.key, end: after.key, text: "" }];
}

/** Puts new members behind the last one. */
function addition(
  texts: Texts,
  inside: (key: string) => string,
  keys: readonly string[],
  added: readonly string[],
  values: Fields,
): readonly Edit[] {
  const last = texts.now.spanOf(inside(keys[keys.length - 1]));
  if (added.length === 0 || last === undefined) return [];
  const { base, newline } = styleAt(texts.text, last.key);
  const ownLine = texts.text.slice(0, last.key).trimEnd() !== texts.text.slice(0, last.key).replace(/[ \t]+$/, "");
  const before = ownLine ? `,${newline}${base}` : ", ";
  const members = added.map(
    (key) => `${before}${JSON.stringify(key)}: ${pieceFor(texts, inside(key), values[key], last.key)}`,
  );
  return [{ start: last.end, end: last.end, text: members.join("") }];
}

/** How a value is written at a place: as the donor has it, or anew. */
function pieceFor({ text, donor, donorText }: Texts, path: string, value: unknown, at: number): string {
  const span = donor?.spanOf(path);
  const lent = span === undefined ? undefined : donorText?.slice(span.start, span.end);
  if (lent !== undefined && isDeepStrictEqual(readJsonText(lent).value, value)) return lent;
  return rendered(value, styleAt(text, at));
}

interface Style {
  /** One step of indentation; undefined: all in one line. */
  readonly unit: string | undefined;
  /** The indentation of the line a value begins in. */
  readonly base: string;
  readonly newline: string;
}

function styleAt(text: string, at: number): Style {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1);
  return { unit: unitOf(text), base: /^[ \t]*/.exec(line)?.[0] ?? "", newline: newlineOf(text) };
}

function rendered(value: unknown, { unit, base, newline }: Style): string {
  return unit === undefined
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unit).replaceAll("\n", `${newline}${base}`);
}

/** The indentation of the first line that has any; texts of one line have none, others two spaces. */
function unitOf(text: string): string | undefined {
  const indented = /\n([ \t]+)\S/.exec(text)?.[1];
  return indented ?? (text.trim().includes("\n") ? "  " : text.trim() === "" ? "  " : undefined);
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
