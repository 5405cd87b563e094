import type { TreeId } from "./contract.ts";

/** Where things of a run are, relative to its root. */
export const layout = {
  settings: "tree.json",
  manifest: "manifest.json",
  summary: "TREE_SUMMARY.md",
  graph: "TREE_GRAPH.md",
  validation: "VALIDATION_REPORT.md",
  events: "logs/run_events.jsonl",
  artifacts: "artifacts",
  rootBaseline: "artifacts/root_baseline.csv",
  nodeWorktree: (node: TreeId) => `wt/${node}`,
  nodeIdeas: (node: TreeId) => `node_ideas/${node}`,
  nodeContext: (node: TreeId) => `node_ideas/${node}/baseline_context.json`,
  nodeLogs: (node: TreeId) => `logs/nodes/${node}`,
  /** There once the node's worktree has been set up. */
  nodeSetUp: (node: TreeId) => `logs/nodes/${node}/set-up`,
  nodeBaseline: (node: TreeId) => `artifacts/baseline_node_${node}.csv`,
  conversations: "conversations",
  conversation: (conversation: string) => `conversations/${conversation}.json`,
  conversationSummary: (conversation: string) => `conversations/${conversation}_summary.md`,
  conversationLogs: "logs/conversations",
  conversationLog: (conversation: string) => `logs/conversations/${conversation}.jsonl`,
  ideasLogs: (node: TreeId) => `logs/idea_generation/${node}`,
  candidateWorktree: (evaluation: TreeId) => `cand/${evaluation}`,
  candidateResults: (evaluation: TreeId) => `artifacts/candidate_eval_${evaluation}.csv`,
  /** `of`: `eval_0001` or `node_0000`. */
  repeatResults: (of: string, repeat: number) => `artifacts/repeat_${of}_${repeat}.csv`,
  evaluation: (evaluation: TreeId) => `eval/${evaluation}`,
  evaluationTemp: (evaluation: TreeId) => `eval/${evaluation}/tmp`,
  /** How long each step took: `{step, round, attempt, ms, exitCode}` per line. */
  stepTimes: (evaluation: TreeId) => `eval/${evaluation}/steps.ndjson`,
  evaluationLogs: (evaluation: TreeId) => `logs/evals/${evaluation}`,
  evaluationEvents: (evaluation: TreeId) => `logs/evals/${evaluation}/eval_events.jsonl`,
} as const;

/** Branch of a promoted node. */
export function nodeRef(treeRunId: string, node: TreeId): string {
  return `tree/${treeRunId}/n${node}`;
}

/** Branch of a candidate. */
export function candidateRef(treeRunId: string, evaluation: TreeId): string {
  return `tree/${treeRunId}/e${evaluation}`;
}
