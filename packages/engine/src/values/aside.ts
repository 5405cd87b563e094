/**
 * Facts that travel with a value and are not part of what was found out: how long it took, what it cost. They are written
 * down and told like the rest, but no digest covers them: two runs that found out the same have the same digest.
 */
export class Aside<Facts> {
  readonly facts: Facts;

  constructor(facts: Facts) {
    this.facts = facts;
  }
}

const MARK = '{"$":"aside"';

/** An encoded value as digests and comparisons see it. */
export function withoutAsides(encoded: string): string {
  if (!encoded.includes(MARK)) return encoded;
  return JSON.stringify(JSON.parse(encoded, (_name, part: unknown) => (isAside(part) ? undefined : part)) ?? null);
}

function isAside(part: unknown): boolean {
  return (
    typeof part === "object" && part !== null && Object.hasOwn(part, "$") && (part as { $: unknown }).$ === "aside"
  );
}
