import { styleText } from "node:util";

const BARS = "▁▂▃▄▅▆▇█";

/** Counts as a line of bars by their share of the limit; a full bar, red in a terminal, is above it. */
export function sparkline(counts: ArrayLike<number>, limits: ArrayLike<number>, width: number): string {
  const perBar = Math.max(1, Math.ceil(counts.length / width));
  let line = "";
  for (let from = 0; from < counts.length; from += perBar) {
    let share = 0;
    for (let at = from; at < Math.min(from + perBar, counts.length); at++) {
      // Nobody where nobody may be is no share at all.
      share = Math.max(share, counts[at] === 0 ? 0 : counts[at] / limits[at]);
    }
    if (share > 1) line += styleText("red", BARS[BARS.length - 1], { stream: process.stdout });
    else line += BARS[Math.min(BARS.length - 2, Math.floor(share * (BARS.length - 1)))];
  }
  return line;
}
