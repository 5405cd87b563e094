/**
 * What the parts of the network objective cost.
 *
 * | weight          | unit                                       | default | part                                                  |
 * | --------------- | ------------------------------------------ | ------- | ----------------------------------------------------- |
 * | exceedance      | per flight over capacity in a rolling hour | 1       | sum over all volumes and bins of max(0, hour - cap)   |
 * | delayMinute     | per minute of delay                        | 0.02    | sum over all flights                                  |
 * | regulation      | per line of the plan                       | 5       | number of lines                                       |
 * | regularity      | per flight moved to another bin            | 0       | sum of abs(released - wanted) per line and bin        |
 * | smoothness      | per flight of change from bin to bin       | 0       | variation of released minus variation of wanted       |
 * | share           | per unit of share moved between lines      | 0       | half sum of abs(share released - share wanted)        |
 *
 * The last three compare what a line releases with the demand it meets, so that an empty plan costs its exceedance alone.
 * Prices are stored with every result.
 */
export interface Weights {
  readonly exceedance: number;
  readonly delayMinute: number;
  readonly regulation: number;
  readonly regularity: number;
  readonly smoothness: number;
  readonly share: number;
}

/** The price of each kind of cost in the objective, unless a user names others. */
export const defaultWeights: Weights = {
  exceedance: 1,
  delayMinute: 0.02,
  regulation: 5,
  regularity: 0,
  smoothness: 0,
  share: 0,
};

/** Cast: these are the names of a {@link Weights}, and there are no others. */
const weightNames = Object.keys(defaultWeights) as (keyof Weights)[];

/** Prices in words; those of parts that cost nothing are left out. */
export function pricesText(weights: Weights): string {
  const parts = [
    [weights.exceedance, "per flight above capacity"],
    [weights.delayMinute, "per minute of delay"],
    [weights.regulation, "per regulation"],
    [weights.regularity, "for regularity"],
    [weights.smoothness, "for smoothness"],
    [weights.share, "for share"],
  ] as const;
  return parts.flatMap(([price, of]) => (price === 0 ? [] : [`${price} ${of}`])).join(", ");
}

/** Whether two sets of prices are the same. */
export function samePrices(a: Weights, b: Weights): boolean {
  return weightNames.every((name) => a[name] === b[name]);
}
