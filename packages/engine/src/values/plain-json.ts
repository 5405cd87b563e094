import { encode } from "./encode.ts";

/** A value as JSON for scripts: as it is encoded, but what is undefined is left out. */
export function plainJson(value: unknown): unknown {
  return JSON.parse(encode(value ?? null), (_name, part: unknown) => (isUndefined(part) ? undefined : part));
}

/** The JSON object or array that a text is; undefined for anything else. Bare numbers and words are not meant as JSON. */
export function parsedJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Something with fields, a list too. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Something with fields that is not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

function isUndefined(value: unknown): boolean {
  return isObject(value) && value.$ === "undefined";
}
