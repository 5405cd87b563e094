import type { ReportedTurn } from "../contract.ts";
import { fileName } from "../report/in-order.ts";
import { clip } from "./clip.ts";

const TITLE_CHARS = 120;

/** A turn in one line: the file of its idea, and what it is about. */
export function turnLine({ ideaPath, reply, prompt }: ReportedTurn): string {
  const title = firstWords(reply) || firstWords(prompt);
  return ideaPath === null ? title : `${fileName(ideaPath)}: ${title}`;
}

/** The first line that says something, without markup and headings such as `IDEA:`. */
function firstWords(text: string): string {
  // A title is near the beginning: a text of a megabyte in one line is not looked through.
  for (const line of text.slice(0, 4000).split("\n")) {
    const words = line
      .replace(/[#*>`]+|^\s*-\s/g, " ")
      .replace(/^\s*idea\s*:\s*/i, "")
      .replace(/\s+/g, " ")
      .trim();
    if (words !== "") return clip(words, TITLE_CHARS).text;
  }
  return "";
}
