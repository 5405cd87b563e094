import { UsageError } from "../usage-error.ts";

/** The one name that an object does not simply hold: assigned, copied or checked by a schema it vanishes without a word. */
const RESERVED = "__proto__";

/** Refuses a file that a user wrote in which something is called `__proto__`, by its place; `text` is what it was read from. */
export function refuseReservedKeys(content: unknown, text: string, place: string): void {
  // Walked only where it may be there, perhaps written with escapes.
  if (!text.includes(RESERVED) && !/\\[ux]/i.test(text)) return;
  const path = reservedIn(content);
  if (path !== undefined)
    throw new UsageError(`${place}: ${path.join(".")}: nothing can be called ${RESERVED}; rename it`);
}

/** Refuses a name that would become an object's key. */
export function refuseReservedName(name: string, place: string): void {
  if (name === RESERVED) throw new UsageError(`${place}: nothing can be called ${RESERVED}; rename it`);
}

function reservedIn(content: unknown): readonly string[] | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  for (const [key, value] of Object.entries(content)) {
    if (key === RESERVED) return [key];
    const inner = reservedIn(value);
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}
