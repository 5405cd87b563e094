import type { TreeId } from "../contract.ts";

/** A task's name in the journal says what it is about, so that limits and reports need not open it. */
export const taskKey = {
  root: "root",
  /** `call` counts from 0; a node is asked again only when somebody wants other ideas. */
  ideas: (depth: number, node: TreeId, call: number) => `ideas/${depth}/${node}${call === 0 ? "" : `/${call}`}`,
  evaluation: (depth: number, parent: TreeId, evaluation: TreeId) => `eval/${depth}/${parent}/${evaluation}`,
  /** `evaluation` is null for the node itself. */
  repeat: (depth: number, parent: TreeId, evaluation: TreeId | null, repeat: number) =>
    `repeat/${depth}/${parent}/${evaluation ?? "base"}/${repeat}`,
  promotion: (depth: number, node: TreeId, evaluation: TreeId) => `promote/${depth}/${node}/${evaluation}`,
  prune: (depth: number) => `prune/${depth}`,
} as const;

export type ParsedKey =
  | { readonly kind: "root" }
  | { readonly kind: "ideas"; readonly depth: number; readonly nodeId: TreeId }
  | { readonly kind: "evaluation"; readonly depth: number; readonly parentNodeId: TreeId; readonly evalId: TreeId }
  | {
      readonly kind: "repeat";
      readonly depth: number;
      readonly parentNodeId: TreeId;
      readonly evalId: TreeId | null;
      readonly repeat: number;
    }
  | { readonly kind: "promotion"; readonly depth: number; readonly nodeId: TreeId; readonly evalId: TreeId }
  | { readonly kind: "prune"; readonly depth: number };

export function parseKey(key: string): ParsedKey {
  const [kind, depthText, first = "", second = "", third = ""] = key.split("/");
  const depth = Number(depthText);
  switch (kind) {
    case "root":
      return { kind };
    case "ideas":
      return { kind, depth, nodeId: first };
    case "eval":
      return { kind: "evaluation", depth, parentNodeId: first, evalId: second };
    case "repeat":
      return { kind, depth, parentNodeId: first, evalId: second === "base" ? null : second, repeat: Number(third) };
    case "promote":
      return { kind: "promotion", depth, nodeId: first, evalId: second };
    case "prune":
      return { kind, depth };
    default:
      throw new Error(`${JSON.stringify(key)} is not the key of an idea tree's task`);
  }
}
