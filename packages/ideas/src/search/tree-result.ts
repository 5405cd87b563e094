import type { TreeId } from "../contract.ts";
import type { NodeState, StopReason } from "./tree-state.ts";

/** What the tree came to. */
export interface TreeResult {
  readonly stopReason: StopReason;
  /** Depths that have passed their barrier. */
  readonly currentDepth: number;
  readonly frontier: readonly TreeId[];
  readonly evaluations: number;
  readonly promotions: readonly Promotion[];
  /** The best node's ancestry, root first. */
  readonly bestPath: readonly TreeId[];
  readonly bestScore: number | null;
}

export interface Promotion {
  readonly depth: number;
  readonly nodeId: TreeId;
  readonly parentNodeId: TreeId;
  readonly evalId: TreeId;
  readonly idea: string;
  readonly commit: string;
}

/** How a node came to be; nothing for the root. */
export function promotionOf(node: NodeState): Promotion[] {
  const { nodeId, parentNodeId, evalId, madeBy, commit, depth } = node;
  if (parentNodeId === null || evalId === null || madeBy === null) return [];
  return [{ depth: depth - 1, nodeId, parentNodeId, evalId, idea: madeBy.name, commit }];
}
