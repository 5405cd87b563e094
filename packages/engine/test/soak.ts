import assert from "node:assert/strict";

/**
 * How often a test of a law repeats: `few` in `npm test`, `many` in `npm run soak`, which sets COPPICE_SOAK to 1. Another
 * factor scales `many` (CI soaks with 0.01); never fewer than `few`.
 */
export function soak(few: number, many: number): number {
  const setting = process.env.COPPICE_SOAK;
  if (setting === undefined || setting === "") return few;
  const factor = Number(setting);
  assert.ok(factor > 0, `COPPICE_SOAK is a factor above zero such as 1 or 0.1, not ${JSON.stringify(setting)}`);
  return Math.max(few, Math.round(many * factor));
}

/** The option of a test that takes too long for every day; CI runs it with its bit of the soak. */
export function onlyInSoak(): { readonly skip: string | false } {
  return { skip: soak(0, 1000) > 0 ? false : "only in a soak" };
}

/** All of them in a soak; in `npm test`, and in CI's bit of the soak, the one whose turn it is, so that each has a case there. */
export function inTurn<Item>(items: readonly Item[], turn: number): readonly Item[] {
  return isLongSoak() ? items : items.filter((_, at) => at === turn % items.length);
}

/** Whether a soak is longer than CI's bit: then everything may be tried with everything. */
export function isLongSoak(): boolean {
  return soak(0, 10) > 0;
}
