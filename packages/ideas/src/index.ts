export { cleanTree } from "./belongings/unneeded.ts";
export { choicesIn, defaultShape, defaultWork, type TreeChoices } from "./config/choices.ts";
export { type ChosenTree, checkTreeName, chooseTree } from "./config/choose-tree.ts";
export { initText } from "./config/init-text.ts";
export { parseTreeFile } from "./config/tree-file.ts";
export * from "./contract.ts";
export { manifestText, readManifest } from "./manifest/json-text.ts";
export type * from "./manifest/manifest.ts";
export { mermaid } from "./report/graph-text.ts";
export { parityText, treeDifference } from "./report/tree-difference.ts";
export { statusText, treeDocument, treeStatus } from "./report/tree-text.ts";
export { rewriteReports } from "./report/write-reports.ts";
export { type PreparedTree, prepareNewTree, prepareRecordedTree } from "./run/prepare-tree.ts";
export {
  manifestOf,
  openTree,
  type RecordedTree,
  readTree,
  refuseIfLive,
  resumedTree,
  type TreeOnDisk,
} from "./run/recorded-tree.ts";
export { candidateRef, layout, nodeRef } from "./run-layout.ts";
export { ideaHash } from "./search/idea-choice.ts";
export { TreeSearch, type TreeSearchOptions } from "./search/tree-search.ts";
export type * from "./search/tree-state.ts";
export { compareIds, type Promotion, ROOT_ID, type TreeResult, treeId } from "./search/tree-state.ts";
export * from "./settings.ts";
export { commandProblem, type Placeholder, placeholderMeaning, stepPlaceholders } from "./steps/placeholders.ts";
export { type TreeProblem, validateTree, validationText } from "./validate/validate-tree.ts";
