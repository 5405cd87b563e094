export * from "./contract.ts";
export { ideaHash } from "./plan/idea-hash.ts";
export { compareIds, ROOT_ID, treeId } from "./plan/tree-id.ts";
export { candidateRef, layout, nodeRef } from "./run-layout.ts";
