import { encode } from "./encode.ts";

/** A value as JSON for scripts: as it is encoded, but what is undefined is left out. */
export function plainJson(value: unknown): unknown {
  return JSON.parse(encode(value ?? null), (_name, part: unknown) => (isUndefined(part) ? undefined : part));
}

function isUndefined(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$" in value && value.$ === "undefined";
}
