/** The parts an idea in a reply must have, each begun by a line of its own. */
const parts = ["IDEA", "RATIONALE", "REQUIRED_CHANGES"] as const;
type Part = (typeof parts)[number];

/** An idea that was found in a text, or why what looked like one is none. */
export type ReplyIdea =
  | { readonly usable: true; readonly title: string; readonly text: string }
  | { readonly usable: false; readonly reason: string };

/**
 * The ideas of a reply, in order: each begins with a line `IDEA: …` (or a markdown heading of that name) and holds
 * `RATIONALE:` and `REQUIRED_CHANGES:`. What comes before the first is left out.
 */
export function ideasInReply(reply: string): ReplyIdea[] {
  const blocks: string[][] = [];
  for (const line of reply.replaceAll("\r\n", "\n").split("\n")) {
    if (partOf(line)?.part === "IDEA") blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.map(ideaOf);
}

function ideaOf(lines: readonly string[]): ReplyIdea {
  const found = new Set(lines.map((line) => partOf(line)?.part));
  const missing = parts.filter((part) => !found.has(part));
  if (missing.length > 0)
    return { usable: false, reason: `it has no ${missing.map((part) => `${part}:`).join(" and no ")}` };
  const title = titleOf(lines);
  if (title === "") return { usable: false, reason: "nothing follows IDEA:" };
  return { usable: true, title, text: `${lines.join("\n").trim()}\n` };
}

/** What follows `IDEA:`, on its line or on the next that is not empty. */
function titleOf([first, ...rest]: readonly string[]): string {
  const same = partOf(first)?.rest ?? "";
  if (same !== "") return same;
  const next = rest.find((line) => line.trim() !== "") ?? "";
  return partOf(next) === undefined ? next.trim() : "";
}

/** `IDEA: x`, `**IDEA:** x`, `## IDEA`, `## Required changes: x`; a word within a sentence does not begin a part. */
function partOf(line: string): { readonly part: Part; readonly rest: string } | undefined {
  const match = /^\s{0,3}(#{1,6}\s*)?\*{0,2}(idea|rationale|required[ _]changes)\b\*{0,2}(\s*:)?\*{0,2}(.*)$/i.exec(
    line,
  );
  if (match === null) return undefined;
  const [, heading, name, colon, rest] = match;
  if (colon === undefined && (heading === undefined || rest.trim() !== "")) return undefined;
  const part = parts.find((each) => each === name.toUpperCase().replace(" ", "_"));
  return part === undefined ? undefined : { part, rest: rest.trim() };
}
