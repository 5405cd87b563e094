/** What an answer may take of an agent's attention, as characters of JSON. */
const MOST_CHARACTERS = 6000;

/** From generous to strict: how much of a text, how many of a list, how deep. */
const STEPS = [
  { text: 2000, items: 40, depth: 12 },
  { text: 800, items: 20, depth: 8 },
  { text: 300, items: 10, depth: 6 },
  { text: 160, items: 5, depth: 4 },
  { text: 80, items: 3, depth: 3 },
] as const;

/**
 * A document as small as it has to be: long texts are cut, of long lists the first are kept, and deep parts are left out,
 * each with a word that says so. `whole` is true when nothing was.
 */
export function small(document: unknown): { readonly value: unknown; readonly whole: boolean } {
  if (fits(document)) return { value: document, whole: true };
  for (const limits of STEPS) {
    const value = cut(document, limits, limits.depth);
    if (fits(value)) return { value, whole: false };
  }
  return { value: `${JSON.stringify(document).slice(0, MOST_CHARACTERS / 4)}…`, whole: false };
}

function fits(value: unknown): boolean {
  return (JSON.stringify(value)?.length ?? 0) <= MOST_CHARACTERS;
}

function cut(value: unknown, limits: (typeof STEPS)[number], depth: number): unknown {
  if (typeof value === "string") {
    return value.length <= limits.text ? value : `${value.slice(0, limits.text)}… (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return Array.isArray(value) ? `… (${value.length} items)` : "…";
  if (Array.isArray(value)) {
    const kept = value.slice(0, limits.items).map((item) => cut(item, limits, depth - 1));
    return value.length <= limits.items ? kept : [...kept, `… (${value.length - limits.items} more)`];
  }
  const entries = Object.entries(value);
  const kept = entries.slice(0, 2 * limits.items).map(([name, part]) => [name, cut(part, limits, depth - 1)] as const);
  const rest = entries.length - kept.length;
  return Object.fromEntries(rest > 0 ? [...kept, ["…", `${rest} more`]] : kept);
}
