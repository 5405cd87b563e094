// A grown tree for people: where it stands, how two differ, whether its records agree.

export { mermaid } from "./report/graph-text.ts";
export { retellerOf } from "./report/retold-event.ts";
export { type StepLogs, stepLogs } from "./report/step-logs.ts";
export { parityText, treeDifference } from "./report/tree-difference.ts";
export { statusText, treeDocument, treeStatus } from "./report/tree-text.ts";
export { rewriteReports } from "./report/write-reports.ts";
export { validateTree, validationText } from "./validate/validate-tree.ts";
