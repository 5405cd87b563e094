import { CommandFailed } from "./command-failed.ts";

/** A candidate as JSON, if JSON says all of it; −0 becomes 0. What JSON would change or leave out is refused with its place. */
export function candidateJson(candidate: unknown): string {
  const odd = notJson(candidate, "the candidate");
  if (odd !== undefined) throw new CommandFailed(odd);
  return JSON.stringify(candidate);
}

/** What of a value JSON would change or leave out, in one line; undefined when it keeps all of it. */
export function notJson(value: unknown, place: string): string | undefined {
  const refused = (what: string) => `${place} is ${what}: a command reads JSON, which has no such value`;
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : refused(String(value));
    case "object":
      break;
    default:
      return refused(typeof value);
  }
  if (value === null) return undefined;
  const isArray = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isArray && prototype !== Object.prototype && prototype !== null) return refused(`a ${value.constructor.name}`);
  for (const [key, part] of Object.entries(value)) {
    const odd = notJson(part, isArray ? `${place}[${key}]` : `${place}.${key}`);
    if (odd !== undefined) return odd;
  }
  return undefined;
}
