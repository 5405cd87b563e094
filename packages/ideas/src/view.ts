// What a page shows of a tree, read from the run's folder: data, small, and nothing about how it is drawn.
export { readTreeView, type TreeView, type TriedIdea } from "./view/tree-view.ts";
