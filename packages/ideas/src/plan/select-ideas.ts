import type { Idea } from "../contract.ts";

export interface SelectedIdeas {
  readonly selected: readonly Idea[];
  /** Left out because the same text is known; not replaced by others. */
  readonly skipped: readonly SkippedIdea[];
}

export interface SkippedIdea {
  readonly idea: Idea;
  readonly reason: "known" | "twice";
}

/**
 * The first `count` ideas of a node in the order of their paths, without those whose text is in `known` or comes a
 * second time. What is skipped takes no evaluation id and no budget.
 */
export function selectIdeas(ideas: readonly Idea[], count: number, known: ReadonlySet<string>): SelectedIdeas {
  const selected: Idea[] = [];
  const skipped: SkippedIdea[] = [];
  const own = new Set<string>();
  for (const idea of ideas.toSorted(byName).slice(0, count).sort(byPath)) {
    if (known.has(idea.textHash)) skipped.push({ idea, reason: "known" });
    else if (own.has(idea.textHash)) skipped.push({ idea, reason: "twice" });
    else selected.push(idea);
    own.add(idea.textHash);
  }
  return { selected, skipped };
}

/** By lower-case name; names that differ only in case by the path. */
function byName(a: Idea, b: Idea): number {
  return compareTexts(a.name.toLowerCase(), b.name.toLowerCase()) || byPath(a, b);
}

function byPath(a: Idea, b: Idea): number {
  return compareTexts(a.path, b.path);
}

/** By code units: the same on every machine, whatever its language. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
