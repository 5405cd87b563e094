import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { freeName, ideaFileName } from "../generate/idea-name.ts";
import { ideasInReply } from "../generate/idea-reply.ts";
import type { ReportedEntry } from "./reported-entries.ts";

/** A turn that may have an idea file in the folder. */
interface NamedTurn {
  readonly prompt: string | undefined;
  readonly reply: string;
  readonly ideaName: string | null;
}

export interface CallTurns {
  readonly turns: readonly NamedTurn[];
  /** Replies that looked like ideas and are none. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/**
 * The turns of what was said. A reply that holds ideas, and names no file, has each of them written to the folder as
 * `NNN_<slug>.md`, numbered on from `taken`; nothing is ever written over.
 */
export function turnsOfCall(folder: string, entries: readonly ReportedEntry[], taken: readonly string[]): CallTurns {
  const names = [...taken];
  const turns: NamedTurn[] = [];
  const refused: { name: string; reason: string }[] = [];
  for (const [index, { prompt, reply = "", idea }] of entries.entries()) {
    if (idea !== undefined) {
      turns.push({ prompt, reply, ideaName: basename(idea) });
      continue;
    }
    const found = ideasInReply(reply);
    if (found.every(({ usable }) => !usable)) turns.push({ prompt, reply, ideaName: null });
    for (const each of found) {
      if (!each.usable) {
        refused.push({ name: `reply ${index + 1}`, reason: each.reason });
        continue;
      }
      const ideaName = freeName(ideaFileName(names.length + 1, each.title), names);
      writeFileSync(join(folder, ideaName), each.text, { flag: "wx" });
      names.push(ideaName);
      turns.push({ prompt, reply: each.text, ideaName });
    }
  }
  return { turns, refused };
}
