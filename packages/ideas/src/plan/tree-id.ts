import type { TreeId } from "../contract.ts";

export const ROOT_ID: TreeId = "0000";

/** The id of the n-th node or evaluation: four digits, more when they are needed. */
export function treeId(number: number): TreeId {
  return String(number).padStart(4, "0");
}

/** Ids compare as numbers: `10000` comes after `9999`. */
export function compareIds(a: TreeId, b: TreeId): number {
  return Number(a) - Number(b);
}
