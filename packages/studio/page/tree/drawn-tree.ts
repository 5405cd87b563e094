import type { Palette } from "../theme.ts";

/** A tree as it is drawn, whatever grew it: the root first, every node after the one it is below. */
export type DrawnTree = readonly DrawnNode[];

export interface DrawnNode {
  /** Place of the node above; null for the root. */
  readonly parent: number | null;
  readonly label: string;
  readonly colour: keyof Palette;
  /** On the way to the best. */
  readonly best: boolean;
  /** Shown whatever else is folded away. */
  readonly isKept: boolean;
  /** What is below it is folded away at first. */
  readonly isClosed: boolean;
  /** A larger dot has more of it. */
  readonly weight: number | null;
}
