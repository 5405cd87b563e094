import type { Mention } from "../replies/reply.ts";

/** Who was called into the council, and what became of it. */
export interface Recruitment {
  readonly persona: string;
  readonly by: string;
  readonly why: string;
  readonly outcome: "joins" | "already here" | "not in the library" | "council is full";
}

export interface Calls {
  /** Personas that sit in the council now. */
  readonly seated: readonly string[];
  readonly library: readonly string[];
  readonly maxSize: number;
}

/** Decides who joins the next round: personas of the library, once, as long as there is a seat, in the order called. */
export function recruit(
  calls: readonly { readonly by: string; readonly call: Mention }[],
  { seated, library, maxSize }: Calls,
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
      : !library.includes(persona)
        ? "not in the library"
        : there.size >= maxSize
          ? "council is full"
          : "joins";
    if (outcome === "joins") there.add(persona);
    decided.push({ persona, by, why: call.why, outcome });
  }
  return decided;
}

const core = ["judge", "critic"];
const fill = ["skeptic", "oracle", "innovator", "advocate", "thinker"];
const ENOUGH = 5;

/** Which words of a proposal ask for whom. Every name is one of the built-in library. */
const specialists: readonly (readonly [RegExp, string])[] = [
  [/\b(secur\w*|auth\w*|tokens?|passwords?|secrets?|encrypt\w*|credentials?|vulnerab\w*|attack\w*)\b/i, "security"],
  [/\b(legal|licen[sc]\w*|gdpr|privacy|complian\w*|contract|terms)\b/i, "legal"],
  [/\b(performance|latency|throughput|slow|fast\w*|memory|cache|scal\w+|optimi[sz]\w*)\b/i, "performance"],
  [/\b(ux|ui|user interface|usab\w*|design|accessib\w*|onboarding|screen)\b/i, "ux"],
  [/\b(data\w*|metrics?|analytics|measure\w*|experiment\w*|statistic\w*)\b/i, "data"],
  [/\b(customers?|users?|market\w*|community|adoption)\b/i, "advocate"],
  [/\b(architect\w*|trade-?offs?|long-term|complex\w*)\b/i, "thinker"],
  [/\b(new|novel|idea|alternativ\w*|invent\w*)\b/i, "innovator"],
];

/** A council for a proposal: judge and critic, whom its words ask for, and the usual ones up to five. */
export function recruitFor(proposal: string, library: readonly string[]): string[] {
  const asked = specialists.filter(([words]) => words.test(proposal)).map(([, persona]) => persona);
  const chosen = [...new Set([...core, ...asked])].filter((persona) => library.includes(persona));
  for (const persona of fill) {
    if (chosen.length >= ENOUGH) break;
    if (library.includes(persona) && !chosen.includes(persona)) chosen.push(persona);
  }
  return chosen;
}
