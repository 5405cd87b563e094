import { existsSync, readdirSync } from "node:fs";
import type { Idea, IdeasResult, IdeasTask } from "../contract.ts";
import { keepBytes } from "../evaluate/kept-file.ts";
import type { Site } from "../evaluate/site.ts";
import { ideaHash } from "../plan/idea-hash.ts";
import { layout } from "../run-layout.ts";
import { isIdeaName, readIdeaFile } from "./idea-file.ts";
import { freeName } from "./idea-name.ts";

export interface TakenIdeas extends Pick<IdeasResult, "ideas" | "refused"> {
  /** By the name the file had where it was taken from. */
  readonly bySource: ReadonlyMap<string, Idea>;
}

/**
 * Copies the usable files to `node_ideas/<node>/`, in the order of their lower-case names; equal ones by the names
 * themselves. A name that an idea of an earlier call has is changed: nothing is written over.
 */
export function takeIdeas(site: Site, { node, taken }: IdeasTask, folder: string | undefined): TakenIdeas {
  const names = folder === undefined || !existsSync(folder) ? [] : readdirSync(folder).filter(isIdeaName);
  const inOrder = names.sort((a, b) => compareText(a.toLowerCase(), b.toLowerCase()) || compareText(a, b));
  const bySource = new Map<string, Idea>();
  const refused: { name: string; reason: string }[] = [];
  for (const source of inOrder) {
    const file = readIdeaFile(folder ?? "", source);
    if (file.usable) {
      const name = taken.includes(source) ? freeName(source, [...taken, ...names]) : source;
      const kept = keepBytes(site.runRoot, `${layout.nodeIdeas(node.nodeId)}/${name}`, file.bytes);
      bySource.set(source, { name, ...kept, textHash: ideaHash(file.text) });
    } else refused.push({ name: source, reason: file.reason });
  }
  return { ideas: [...bySource.values()], refused, bySource };
}

/** By code units: the same on every machine, whatever its language. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
