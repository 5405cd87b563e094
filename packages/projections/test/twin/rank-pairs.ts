import type { GroupRanking } from "../../src/accuracy/accuracy.ts";
import type { Position } from "../../src/seasons/season.ts";

/** A projection beside what happened. */
export interface Pair {
  readonly name: string;
  readonly projected: number;
  readonly actual: number;
}

/** Ranking metrics of one position in one week, each the way it is defined. Pairs in load order. */
export function rankPairs(position: Position, pairs: readonly Pair[]): GroupRanking {
  return {
    position,
    pairwise: pairwiseAccuracy(pairs),
    top5: topAccuracy(pairs, 5),
    top10: topAccuracy(pairs, 10),
    top20: topAccuracy(pairs, 20),
    spearman: spearman(pairs),
  };
}

/** Share of pairs with different actuals whose order was predicted; a projected tie counts as "not greater". */
function pairwiseAccuracy(pairs: readonly Pair[]): number {
  let correct = 0;
  let total = 0;
  pairs.forEach((a, i) => {
    for (const b of pairs.slice(i + 1)) {
      if (a.actual === b.actual) continue;
      total++;
      if (a.projected > b.projected === a.actual > b.actual) correct++;
    }
  });
  return total === 0 ? Number.NaN : correct / total;
}

/** Share of the true top n, by name, among the projected top n. */
function topAccuracy(pairs: readonly Pair[], n: number): number {
  if (pairs.length < n) return Number.NaN;
  const top = (of: (pair: Pair) => number) =>
    new Set(
      [...pairs]
        .sort((a, b) => of(b) - of(a))
        .slice(0, n)
        .map((pair) => pair.name),
    );
  return top((pair) => pair.projected).intersection(top((pair) => pair.actual)).size / n;
}

/** Pearson correlation of average ranks. */
function spearman(pairs: readonly Pair[]): number {
  const x = averageRanks(pairs.map((pair) => pair.projected));
  const y = averageRanks(pairs.map((pair) => pair.actual));
  const middle = (pairs.length + 1) / 2;
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + (value - middle) * ((b[i] ?? middle) - middle), 0);
  const spread = product(x, x) * product(y, y);
  return pairs.length < 2 || spread === 0 ? Number.NaN : product(x, y) / Math.sqrt(spread);
}

function averageRanks(values: readonly number[]): readonly number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}
