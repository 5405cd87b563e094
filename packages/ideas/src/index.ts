// Trees of code changes for programs: configured, grown, resumed and read again.

export { applyNode, type NodeChange } from "./apply/apply-node.ts";
export { type BranchedNode, type BranchWishes, branchNode } from "./apply/branch-node.ts";
export { cleanTree } from "./belongings/unneeded.ts";
export { checkText } from "./check/check-text.ts";
export { type CheckedStep, type CheckWishes, checkTree, type TreeCheck } from "./check/check-tree.ts";
export type { FullRun } from "./check/full-run.ts";
export { type RecordedParity, recordedParity, recordedParityText } from "./check/recorded-parity.ts";
export { remarksBeforehand } from "./check/remarks.ts";
export { choicesIn, defaultShape, defaultWork, type TreeChoices } from "./config/choices.ts";
export { type ChosenTree, checkTreeName, chooseTree } from "./config/choose-tree.ts";
export { initText } from "./config/init-text.ts";
export { parseTreeFile } from "./config/tree-file.ts";
export type { Comparison, Cost, Metrics, RootResult, RootTask } from "./contract.ts";
export { manifestText, readManifest } from "./manifest/json-text.ts";
export type {
  DepthProgress,
  Manifest,
  ManifestConversation,
  ManifestDecision,
  ManifestEvaluation,
  ManifestEvent,
  ManifestNode,
  ManifestTask,
} from "./manifest/manifest.ts";
export { type PreparedTree, prepareNewTree, prepareRecordedTree } from "./run/prepare-tree.ts";
export {
  editedConfiguration,
  manifestOf,
  openTree,
  readTree,
  refuseIfLive,
  resumedTree,
  type TreeOnDisk,
} from "./run/recorded-tree.ts";
export { layout } from "./run-layout.ts";
