/** Start of the date (a multiple of `dayLength`) on which most times fall; the earlier one on a tie, 0 without times. */
export function busiestDate(times: readonly number[], dayLength: number): number {
  const perDay = new Map<number, number>();
  for (const time of times) {
    const day = Math.floor(time / dayLength) * dayLength;
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
  }
  const [busiest] = [...perDay].sort(([dayA, a], [dayB, b]) => b - a || dayA - dayB);
  return busiest === undefined ? 0 : busiest[0];
}
