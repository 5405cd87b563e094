import { isDeepStrictEqual } from "node:util";
import { UsageError } from "@coppice/engine/usage-error";
import { editedText, JsonProblem, readJsonText } from "@coppice/engine/user-files";
import { HORIZON_KEYS, type HorizonParameters, KNOWN_FIELDS, readConfiguration } from "./configuration.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A user's horizon file with a winner's values in it. Only values of the model that differ from what counts now (the file's
 * own over the league's) are written; names, notes, keys of the user's own, order and formatting stay. `beside` are fields
 * beside the parameters that are set as well.
 */
export function withWinner(
  path: string,
  text: string,
  league: Fields,
  winner: HorizonParameters,
  beside: (document: Fields) => Fields,
): string {
  const document = fieldsIn(path, text);
  const own = asFields(document.parameters) ?? {};
  const parameters: Record<string, unknown> = { ...own };
  for (const key of HORIZON_KEYS) {
    const [next, now] = [winner[key], own[key] ?? league[key]];
    if (isDeepStrictEqual(next, now)) continue;
    if (next === undefined) delete parameters[key];
    else parameters[key] = merged(now, next);
  }
  const after = { ...document, parameters, ...beside(document) };
  const [wanted, got] = [winner, { ...league, ...parameters }].map((all) => readConfiguration(all, path));
  if (!isDeepStrictEqual(got, wanted))
    throw new UsageError(`${path} cannot hold the winner: a field in it that merging keeps changes the result`);
  return editedText(text, after);
}

/**
 * The next value with what the model does not know of the present one: that is the user's. What it does not know of the next
 * one is the user's as well, and belongs to the horizon that the winner began from.
 */
function merged(now: unknown, next: unknown): unknown {
  const [had, has] = [asFields(now), asFields(next)];
  if (had === undefined || has === undefined) return next;
  const kept = Object.keys(had).filter((key) => Object.hasOwn(has, key) || !KNOWN_FIELDS.has(key));
  const added = Object.keys(has).filter((key) => !Object.hasOwn(had, key) && KNOWN_FIELDS.has(key));
  const value = (key: string) =>
    KNOWN_FIELDS.has(key) && Object.hasOwn(has, key) ? merged(had[key], has[key]) : had[key];
  return Object.fromEntries([
    ...kept.map((key) => [key, value(key)] as const),
    ...added.map((key) => [key, has[key]] as const),
  ]);
}

function fieldsIn(path: string, text: string): Fields {
  try {
    return asFields(readJsonText(text).value) ?? {};
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new UsageError(`${path} line ${error.line}: ${error.message}`);
  }
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
