/** The middle value; of an even count the mean of the middle two. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
}

/**
 * Measures every side once per round, each round beginning with another side, every second one backwards: a machine that
 * gets slower or busier does so for all of them, and nobody always follows the same one, whose leavings it would be
 * measured with. Returns each side's measurements in round order.
 */
export async function alternate<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => number | Promise<number>>>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const measured = Object.fromEntries(names.map((side) => [side, [] as number[]])) as Record<Side, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const step = round % 2 === 0 ? i : -i;
      const side = names[(round + step + names.length) % names.length];
      measured[side].push(await sides[side]());
    }
  }
  return measured;
}

/** The median over the rounds of how one side compares with another in the same round. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / theirs[round]));
}
