/** Answers that share this much of their wording are the same answer. */
const SAME_SHARE = 0.8;
/** Words that are compared together, so that the same words in a different order make a different text. */
const WORDS_TOGETHER = 3;

/**
 * For each text the index of the first earlier text that says nearly the same, or null. Two texts are compared by the
 * runs of three words they share (Jaccard index); case, punctuation and spacing do not count.
 */
export function nearDuplicates(texts: readonly string[]): (number | null)[] {
  const shingles = texts.map(shinglesOf);
  return shingles.map((own, index) => {
    const first = shingles.findIndex((other, earlier) => earlier < index && similar(own, other));
    return first < 0 || first >= index ? null : first;
  });
}

function shinglesOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < WORDS_TOGETHER) return new Set([words.join(" ")]);
  return new Set(words.slice(WORDS_TOGETHER - 1).map((_, at) => words.slice(at, at + WORDS_TOGETHER).join(" ")));
}

/** How much of their wording two texts share, 0 to 1. */
export function sharedWording(a: string, b: string): number {
  const [own, other] = [shinglesOf(a), shinglesOf(b)];
  const shared = [...own].filter((shingle) => other.has(shingle)).length;
  return shared / (own.size + other.size - shared);
}

function similar(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size < SAME_SHARE * large.size) return false;
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  return shared >= SAME_SHARE * (small.size + large.size - shared);
}
