import type { Idea, TreeId } from "../contract.ts";
import type { DedupeScope } from "../settings.ts";

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
