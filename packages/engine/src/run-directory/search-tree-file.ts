import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SearchTree } from "../contract/search.ts";
import { isPlainFile } from "../files/if-there.ts";
import { writeDurably } from "../files/write-whole.ts";

/** Where a run keeps the tree that its search has grown. */
export const SEARCH_TREE = "search-tree.json";

/** Keeps the tree that a search has grown, for pages. */
export function writeSearchTree(directory: string, tree: SearchTree): void {
  writeDurably(join(directory, SEARCH_TREE), `${JSON.stringify(tree)}\n`);
}

/** The tree of a run that has ended; undefined if its search has none. A link could lead out of the run. */
export function readSearchTree(directory: string): SearchTree | undefined {
  const path = join(directory, SEARCH_TREE);
  if (!isPlainFile(path)) return undefined;
  // Cast: written by us.
  return JSON.parse(readFileSync(path, "utf8")) as SearchTree;
}
