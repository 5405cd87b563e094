/** Whether `a` is nowhere worse and somewhere better; smaller is better. */
function dominates(a: readonly number[], b: readonly number[]): boolean {
  let better = false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] > b[i]) return false;
    if (a[i] < b[i]) better = true;
  }
  return better;
}

/** Fronts of indices: those that nothing dominates, those that only the first front does, … */
export function frontsOf(values: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const fronts: number[][] = [];
  let left = values.map((_, i) => i);
  while (left.length > 0) {
    const front = left.filter((i) => !left.some((j) => dominates(values[j], values[i])));
    fronts.push(front);
    const placed = new Set(front);
    left = left.filter((i) => !placed.has(i));
  }
  return fronts;
}

/** By member of a front: how much room its neighbours leave it (Deb et al. 2002); the ends have all of it. */
export function crowding(
  front: readonly number[],
  values: readonly (readonly number[])[],
): ReadonlyMap<number, number> {
  const room = new Map(front.map((i) => [i, 0]));
  for (let objective = 0; objective < (values[front[0]]?.length ?? 0); objective++) {
    const sorted = front.toSorted((a, b) => values[a][objective] - values[b][objective] || a - b);
    const width = values[sorted[sorted.length - 1]][objective] - values[sorted[0]][objective];
    for (const [k, i] of sorted.entries()) {
      const end = k === 0 || k === sorted.length - 1;
      const gap = end ? Number.POSITIVE_INFINITY : values[sorted[k + 1]][objective] - values[sorted[k - 1]][objective];
      room.set(i, (room.get(i) ?? 0) + (end ? gap : width === 0 ? 0 : gap / width));
    }
  }
  return room;
}
