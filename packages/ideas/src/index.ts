export { defaultShape, defaultWork } from "./config/default-choices.ts";
export { initText } from "./config/init-text.ts";
export { parseTreeFile, readTreeFile, type TreeChoices, type TreeFile } from "./config/tree-file.ts";
export * from "./contract.ts";
export { writeConversations } from "./conversation/write-conversations.ts";
export { isIdeaName, readIdeaFile } from "./generate/idea-file.ts";
export {
  everythingOwned,
  excludeFromGit,
  inspectRepository,
  listLeftovers,
  refuseTakenName,
  removeLeftovers,
} from "./ground/ground.ts";
export type * from "./ground/tree-ground.ts";
export { manifestText } from "./manifest/json-text.ts";
export type * from "./manifest/manifest.ts";
export { ideaHash } from "./plan/idea-hash.ts";
export { compareIds, ROOT_ID, treeId } from "./plan/tree-id.ts";
export { mermaid } from "./report/graph-text.ts";
export { evaluationCount, evaluationsInOrder } from "./report/in-order.ts";
export { treeDifference } from "./report/tree-difference.ts";
export { writeReports } from "./report/write-reports.ts";
export { type GrownTree, type GrowOptions, growTree } from "./run/grow-tree.ts";
export { keptIds } from "./run/kept-ids.ts";
export { manifestOf, type RecordedTree, readPlan, readTree, TREE_TOOL } from "./run/recorded-tree.ts";
export { TreeJournal } from "./run/tree-journal.ts";
export { newPlan, type PlanChange, type ResumeChoices, resumedPlan, searchOf, type TreePlan } from "./run/tree-plan.ts";
export { candidateRef, layout, nodeRef } from "./run-layout.ts";
export type { Promotion, TreeResult } from "./search/tree-result.ts";
export { TreeSearch, type TreeSearchOptions } from "./search/tree-search.ts";
export type * from "./search/tree-state.ts";
export * from "./settings.ts";
export { missingProgram } from "./steps/missing-program.ts";
export { commandProblem, type Placeholder, placeholderMeaning, stepPlaceholders } from "./steps/placeholders.ts";
export { unfitPlaceholder } from "./steps/unfit-placeholder.ts";
export { type TreeProblem, validateTree, validationText } from "./validate/validate-tree.ts";

/** Module of the evaluator that does the tree's tasks for real. */
export const treeEvaluator = new URL("./evaluate/evaluator.ts", import.meta.url);

/** Module of the evaluator that only pretends: no git, no processes, no network. */
export const dryRunEvaluator = new URL("./dry-run/evaluator.ts", import.meta.url);
