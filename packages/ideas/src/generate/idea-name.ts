const SLUG_CHARS = 60;

/** `007_cache_the_results.md`: the file of the idea that is the n-th of its node, counted from 1. */
export function ideaFileName(number: number, title: string): string {
  const slug = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, SLUG_CHARS)
    .replace(/^_+|_+$/g, "");
  return `${String(number).padStart(3, "0")}_${slug === "" ? "idea" : slug}.md`;
}

/** A name that none of `taken` has, whatever its case: `x.md`, else `x_2.md`, `x_3.md`, … */
export function freeName(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((each) => each.toLowerCase()));
  const stem = name.replace(/\.md$/i, "");
  let free = name;
  for (let copy = 2; known.has(free.toLowerCase()); copy++) free = `${stem}_${copy}.md`;
  return free;
}
