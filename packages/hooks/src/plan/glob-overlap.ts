/**
 * Whether some path matches both globs. `**` stands for any number of segments, `*` and `?` stay within one;
 * a class such as `[ab]` is taken for any character, so the answer may be a false yes, never a false no.
 */
export function globsOverlap(a: string, b: string): boolean {
  if (!isGlob(a) && !isGlob(b)) return a === b;
  return sequencesOverlap(a.split("/"), b.split("/"), (segment) => segment === "**", segmentsOverlap);
}

/** True when the text holds a wildcard. */
export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

function segmentsOverlap(a: string, b: string): boolean {
  if (!isGlob(a) && !isGlob(b)) return a === b;
  return sequencesOverlap(
    characters(a),
    characters(b),
    (character) => character === "*",
    (x, y) => x === y || x === "?" || y === "?",
  );
}

function characters(segment: string): readonly string[] {
  return [...segment.replace(/\[[^\]]*\]/g, "?").replace(/\*+/g, "*")];
}

/** Whether two sequences with gaps (elements that stand for any run of elements) have a common reading. */
function sequencesOverlap<Item>(
  a: readonly Item[],
  b: readonly Item[],
  isGap: (item: Item) => boolean,
  meet: (x: Item, y: Item) => boolean,
): boolean {
  // reachable[j]: the part of `a` read so far and b[0..j) have a common reading.
  let reachable: boolean[] = [true];
  for (let j = 0; j < b.length; j++) reachable.push(reachable[j] && isGap(b[j]));
  for (const x of a) {
    const next: boolean[] = [isGap(x) && reachable[0]];
    for (let j = 0; j < b.length; j++) {
      const y = b[j];
      const byGap = (isGap(x) && (reachable[j + 1] || next[j])) || (isGap(y) && (next[j] || reachable[j + 1]));
      next.push(byGap || (!isGap(x) && !isGap(y) && reachable[j] && meet(x, y)));
    }
    reachable = next;
  }
  return reachable[b.length];
}
