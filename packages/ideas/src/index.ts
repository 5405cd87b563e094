export { allBelongings, neededIds, removeNamed, unneededBelongings } from "./belongings/unneeded.ts";
export { missingProgram, unfitPlaceholder } from "./config/check-steps.ts";
export { defaultShape, defaultWork, type TreeChoices } from "./config/choices.ts";
export { initText } from "./config/init-text.ts";
export { parseTreeFile, readTreeFile, type TreeFile } from "./config/tree-file.ts";
export * from "./contract.ts";
export { writeConversations } from "./conversation/conversation-files.ts";
export { isIdeaName, readIdeaFile } from "./generate/idea-file.ts";
export { excludeFromGit, openRepository, refuseTakenName } from "./git/repository.ts";
export { manifestText } from "./manifest/json-text.ts";
export type * from "./manifest/manifest.ts";
export { mermaid } from "./report/graph-text.ts";
export { evaluationCount, evaluationsInOrder } from "./report/in-order.ts";
export { treeDifference } from "./report/tree-difference.ts";
export { writeReports } from "./report/write-reports.ts";
export { type GrownTree, type GrowOptions, growTree } from "./run/grow-tree.ts";
export { manifestOf, openTree, type RecordedTree, readTree, type TreeOnDisk } from "./run/recorded-tree.ts";
export { TreeJournal } from "./run/tree-journal.ts";
export {
  newSettings,
  type ResumeChoices,
  readSettings,
  resumedSettings,
  searchOf,
  TREE_TOOL,
} from "./run/tree-settings.ts";
export { candidateRef, layout, nodeRef } from "./run-layout.ts";
export { ideaHash } from "./search/idea-choice.ts";
export { TreeSearch, type TreeSearchOptions } from "./search/tree-search.ts";
export type * from "./search/tree-state.ts";
export { compareIds, type Promotion, ROOT_ID, type TreeResult, treeId } from "./search/tree-state.ts";
export * from "./settings.ts";
export { commandProblem, type Placeholder, placeholderMeaning, stepPlaceholders } from "./steps/placeholders.ts";
export { type TreeProblem, validateTree, validationText } from "./validate/validate-tree.ts";

/** Module of the evaluator that does the tree's tasks for real. */
export const treeEvaluator = new URL("./evaluate/evaluator.ts", import.meta.url);

/** Module of the evaluator that only pretends: no git, no processes, no network. */
export const dryRunEvaluator = new URL("./dry-run/evaluator.ts", import.meta.url);
