/** The name that was probably meant: the one that differs in the fewest letters, if that is less than half of them. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, letters: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.letters - b.letters);
  return best !== undefined && best.letters * 2 < Math.max(word.length, best.name.length) ? best.name : undefined;
}

/** Whether one text becomes the other by so many slips of the finger at most. */
export function isSlip(a: string, b: string, slips: number): boolean {
  return Math.abs(a.length - b.length) <= slips && editDistance(a, b) <= slips;
}

/** Letters to add, leave out, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
