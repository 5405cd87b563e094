/** What a pool gains at one candidate cost. */
export interface Gain {
  readonly costMs: number;
  /** Wall time without the pool over wall time with it. */
  readonly speedUp: number;
}

/**
 * The candidate cost from which on a pool pays: where the speed-up passes 1 for the last time, between two measured costs
 * in proportion on a logarithmic scale. Undefined if it does not pay at the dearest cost measured.
 */
export function breakEvenMs(gains: readonly Gain[]): number | undefined {
  const losing = gains.findLastIndex(({ speedUp }) => speedUp < 1);
  const winning = gains[losing + 1];
  if (winning === undefined) return undefined;
  if (losing < 0) return winning.costMs;
  const { costMs, speedUp } = gains[losing];
  const way = Math.log(1 / speedUp) / Math.log(winning.speedUp / speedUp);
  return costMs * (winning.costMs / costMs) ** way;
}
