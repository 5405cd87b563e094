import { hash } from "node:crypto";
import type { Idea, IdeasResult, TreeId } from "../contract.ts";
import type { DedupeScope, TreeShape } from "../settings.ts";
import { mergeListings, type NodeState } from "./tree-state.ts";

/** What a node has to do with ideas: where it comes from, which it was made by, which it was given. */
export interface IdeaOwner {
  readonly nodeId: TreeId;
  readonly parentNodeId: TreeId | null;
  /** The idea that made it; null for the root. */
  readonly madeBy: Idea | null;
  /** Its own ideas, once they are listed. */
  readonly ideas: readonly Idea[];
}

/** Hashes of the texts against which the ideas of `node` must be new. */
export function knownIdeas(
  node: IdeaOwner,
  nodes: ReadonlyMap<TreeId, IdeaOwner>,
  scope: DedupeScope,
): ReadonlySet<string> {
  const known = new Set<string>();
  switch (scope) {
    case "none":
      return known;
    case "global":
      for (const other of nodes.values()) if (other !== node) addAll(known, other.ideas);
      return known;
    case "accepted":
      for (const owner of branch(node, nodes)) if (owner.madeBy !== null) known.add(owner.madeBy.textHash);
      return known;
    case "node_plus_ancestors":
      for (const owner of branch(node, nodes)) if (owner !== node) addAll(known, owner.ideas);
      return known;
    default:
      return scope satisfies never;
  }
}

/** The node and its ancestors, the root last. */
export function branch<Owner extends Pick<IdeaOwner, "nodeId" | "parentNodeId">>(
  node: Owner,
  nodes: ReadonlyMap<TreeId, Owner>,
): Owner[] {
  const owners: Owner[] = [];
  for (let at: Owner | undefined = node; at !== undefined; ) {
    owners.push(at);
    at = at.parentNodeId === null ? undefined : nodes.get(at.parentNodeId);
  }
  return owners;
}

function addAll(known: Set<string>, ideas: readonly Idea[]): void {
  for (const { textHash } of ideas) known.add(textHash);
}

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

/** What the nodes were given when they were last asked for ideas, and what of all they were given is evaluated. */
export class IdeasHeard {
  readonly #last = new Map<TreeId, readonly Idea[]>();
  readonly #chosen = new Map<TreeId, readonly Idea[]>();

  tell(node: NodeState, heard: IdeasResult): void {
    this.#last.set(node.nodeId, heard.ideas);
    node.listed = node.listed === undefined ? heard : mergeListings(node.listed, heard);
    node.ideas = node.listed.ideas;
  }

  chosen({ nodeId }: NodeState): readonly Idea[] {
    return this.#chosen.get(nodeId) ?? [];
  }

  /** Of what the node was last given, what is to be evaluated: nothing that it or those it must differ from had before. */
  choose(
    node: NodeState,
    nodes: ReadonlyMap<TreeId, NodeState>,
    { ideasPerNode, dedupeScope }: Pick<TreeShape, "ideasPerNode" | "dedupeScope">,
  ): readonly Idea[] {
    const heard = this.#last.get(node.nodeId) ?? [];
    const earlier = node.ideas.slice(0, node.ideas.length - heard.length).map(({ textHash }) => textHash);
    const known = new Set([...knownIdeas(node, nodes, dedupeScope), ...earlier]);
    const { selected, skipped } = selectIdeas(heard, ideasPerNode, known);
    node.skipped = [...node.skipped, ...skipped];
    this.#chosen.set(node.nodeId, [...this.chosen(node), ...selected]);
    return selected;
  }
}

/** By lower-case name; names that differ only in case by the path. */
function byName(a: Idea, b: Idea): number {
  return compareTexts(a.name.toLowerCase(), b.name.toLowerCase()) || byPath(a, b);
}

function byPath(a: Idea, b: Idea): number {
  return compareTexts(a.path, b.path);
}

/** By code units: the same on every machine, whatever its language. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** SHA-256 of an idea's text, the same for texts that differ only in line ends, indentation, blank lines, bullets or case. */
export function ideaHash(text: string): string {
  const lines = text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => (line.startsWith("* ") ? `- ${line.slice(2)}` : line));
  return hash("sha256", lines.join("\n").toLowerCase(), "hex");
}
