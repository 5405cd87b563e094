import type { Mention } from "../../replies/reply.ts";
import type { CouncilSetup } from "../council-setup.ts";

/** Who was called into the council, and what became of it. */
export interface Recruitment {
  readonly persona: string;
  readonly by: string;
  readonly why: string;
  readonly outcome: "joins" | "already here" | "not in the library" | "council is full";
}

/** Decides who joins the next round: personas of the library, once, as long as there is a seat, in the order called. */
export function recruit(
  calls: readonly { readonly by: string; readonly call: Mention }[],
  seated: readonly string[],
  { library, maxSize }: Pick<CouncilSetup, "library" | "maxSize">,
): Recruitment[] {
  const there = new Set(seated);
  const heard = new Set<string>();
  const decided: Recruitment[] = [];
  for (const { by, call } of calls) {
    const { persona } = call;
    if (persona === "" || heard.has(persona)) continue;
    heard.add(persona);
    const outcome = there.has(persona)
      ? "already here"
      : !library.some(({ name }) => name === persona)
        ? "not in the library"
        : there.size >= maxSize
          ? "council is full"
          : "joins";
    if (outcome === "joins") there.add(persona);
    decided.push({ persona, by, why: call.why, outcome });
  }
  return decided;
}

/** A persona as the recruiter knows it. */
interface Recruitable {
  readonly name: string;
  /** Words in a proposal that call for it. */
  readonly keywords: readonly string[];
}

const core = ["judge", "critic"];
const fill = ["skeptic", "oracle", "innovator", "advocate", "thinker"];
const ENOUGH = 5;

/** A council for a proposal: judge and critic, then those its words call for (most words first), then the usual ones up to five. */
export function recruitFor(proposal: string, library: readonly Recruitable[], maxSize: number): string[] {
  const called = library
    .map(({ name, keywords }) => ({ name, hits: keywords.filter((word) => mentions(proposal, word)).length }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .map(({ name }) => name);
  const chosen = [...new Set([...core, ...called])].filter((name) => library.some((each) => each.name === name));
  for (const name of fill) {
    if (chosen.length >= ENOUGH) break;
    if (library.some((each) => each.name === name) && !chosen.includes(name)) chosen.push(name);
  }
  return chosen.slice(0, maxSize);
}

/** `auth` is in "authentication" but not in "oauth". */
function mentions(proposal: string, word: string): boolean {
  const at = proposal
    .toLowerCase()
    .search(new RegExp(`(?<![a-z])${word.toLowerCase().replace(/[^a-z0-9]+/g, "\\W+")}`));
  return at !== -1;
}
