/** Milliseconds since the epoch as text; null for a time that has not come. */
export function isoTime(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : new Date(at).toISOString();
}
