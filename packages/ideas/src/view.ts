// What a page shows of a tree, read from the run's folder: data, small, and nothing about how it is drawn.
export { namedFailures } from "./report/retold-event.ts";
export { readTreeView, type TreeView, type TriedIdea } from "./view/tree-view.ts";
