import { encode } from "./encode.ts";

/** A value as JSON for scripts: as it is encoded, but what is undefined is left out. */
export function plainJson(value: unknown): unknown {
  return JSON.parse(encode(value ?? null), (_name, part: unknown) => (isUndefined(part) ? undefined : part));
}

/** The JSON object or array that a text is; undefined for anything else. Bare numbers and words are not meant as JSON. */
export function parsedJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isUndefined(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$" in value && value.$ === "undefined";
}
