export { defaultShape, defaultWork } from "./config/default-choices.ts";
export { parseTreeFile, readTreeFile, type TreeChoices, type TreeFile } from "./config/tree-file.ts";
export * from "./contract.ts";
export { changedArtifacts } from "./evaluate/kept-file.ts";
export { isIdeaName, readIdeaFile } from "./generate/idea-file.ts";
export { everythingOwned, excludeFromGit, inspectRepository, listLeftovers, removeLeftovers } from "./ground/ground.ts";
export { ideaHash } from "./plan/idea-hash.ts";
export { compareIds, ROOT_ID, treeId } from "./plan/tree-id.ts";
export { candidateRef, layout, nodeRef } from "./run-layout.ts";

export { type ParsedKey, parseKey } from "./search/task-key.ts";
export { type TreeResult, TreeSearch, type TreeSearchOptions } from "./search/tree-search.ts";
export type * from "./search/tree-state.ts";
export { readTreeSettings } from "./settings-file.ts";

export { commandProblem, type Placeholder, placeholderMeaning, stepPlaceholders } from "./steps/placeholders.ts";

/** Module of the evaluator that does the tree's tasks for real. */
export const treeEvaluator = new URL("./evaluate/evaluator.ts", import.meta.url);
