import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptFile } from "../contract.ts";
import { conversationFiles, conversationsOf } from "../conversation/conversation-files.ts";
import { changedArtifacts } from "../evaluate/kept-file.ts";
import { branchCommit } from "../git/refs.ts";
import { jsonText } from "../manifest/json-text.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { reportingStops } from "../manifest/reported-tree.ts";
import { nodesInOrder } from "../report/in-order.ts";
import { manifestOf, type RecordedTree } from "../run/recorded-tree.ts";
import { knownOutcome } from "../run/tree-journal.ts";
import { layout } from "../run-layout.ts";
import { compareIds } from "../search/tree-state.ts";

export interface TreeProblem {
  readonly kind:
    | "missing_file"
    | "sha_mismatch"
    | "path_scope"
    | "ref_mismatch"
    | "ref_error"
    | "missing_log"
    | "state_inconsistency";
  readonly message: string;
}

/** Whether what is on disk and in the repository is what the journal says; reads only. */
export async function validateTree(tree: RecordedTree): Promise<readonly TreeProblem[]> {
  const manifest = manifestOf(tree);
  const problems = [...stateProblems(manifest), ...manifestProblems(tree, manifest)];
  // A dry run made no file and no branch: there is nothing else to look at.
  if (tree.settings.shape.dryRun) return problems;
  return [...problems, ...fileProblems(tree), ...conversationProblems(tree), ...(await branchProblems(tree, manifest))];
}

/** Conversations on disk match the journal, unless the run is under way. */
function conversationProblems({ runRoot, search, journal }: RecordedTree): TreeProblem[] {
  if (journal.end === undefined) return [];
  const sources = { nodes: search.nodes, journal };
  const files = conversationsOf(search.nodes).flatMap((each) => Object.entries(conversationFiles(sources, each)));
  return files.flatMap(([path, text]): TreeProblem[] => {
    if (!existsSync(join(runRoot, path))) return [{ kind: "missing_file", message: `${path} is gone` }];
    if (readFileSync(join(runRoot, path), "utf8") === text) return [];
    const message = `${path} does not match the journal; "coppice tree report" writes it again`;
    return [{ kind: "state_inconsistency", message }];
  });
}

/** What must hold between the parts of a manifest. */
export function stateProblems(manifest: Manifest): TreeProblem[] {
  const { state, nodes } = manifest;
  const problems: TreeProblem[] = [];
  const say = (message: string) => problems.push({ kind: "state_inconsistency", message });
  for (const nodeId of state.frontier_node_ids) {
    const node = nodes[nodeId];
    if (node === undefined) say(`frontier node ${nodeId} is not among the nodes`);
    else if (node.depth !== state.current_depth) {
      say(`frontier node ${nodeId} has depth ${node.depth}, the run is at depth ${state.current_depth}`);
    }
  }
  for (const [depth, expanded] of Object.entries(state.expanded_node_ids_by_depth)) {
    if (new Set(expanded).size !== expanded.length) say(`depth ${depth} expands a node twice`);
  }
  for (const node of Object.values(nodes)) {
    const expanded = state.expanded_node_ids_by_depth[node.depth] ?? [];
    if (node.depth < state.current_depth && !expanded.includes(node.node_id)) {
      say(`node ${node.node_id} of depth ${node.depth} was left unexpanded`);
    }
    if (node.parent_node_id !== null && nodes[node.parent_node_id] === undefined) {
      say(`node ${node.node_id} has parent ${node.parent_node_id}, which is not among the nodes`);
    }
  }
  for (const message of provisionalProblems(manifest)) say(message);
  for (const progress of Object.values(state.depth_progress_by_depth)) {
    const { depth, queued, running, completed, failed, total_tasks } = progress;
    if (queued + running + completed + failed !== total_tasks) say(`depth ${depth} has tasks without a state`);
  }
  const ids = Object.keys(manifest.evaluations).sort(compareIds);
  if (ids.some((id, index) => Number(id) !== index + 1)) say("evaluation ids are not counted from 1 without gaps");
  return problems;
}

/** A provisional node is what a stop reports: nothing may be grown from it, and its evaluation must say the same. */
function provisionalProblems(manifest: Manifest): string[] {
  const { state, evaluations } = manifest;
  const provisional = nodesInOrder(manifest).filter(({ status }) => status === "provisional");
  const problems: string[] = [];
  if (provisional.length > 0 && !reportingStops.includes(state.stop_reason)) {
    problems.push("there are provisional nodes, but neither a budget nor a failure has stopped the run");
  }
  const first = state.next_node_id;
  if (provisional.some(({ node_id }, index) => Number(node_id) !== first + index)) {
    problems.push(`provisional nodes are not counted from ${first} without gaps`);
  }
  for (const { node_id, depth, commit, parent_node_id, artifacts } of provisional) {
    if (depth !== state.current_depth + 1) {
      problems.push(`provisional node ${node_id} has depth ${depth}, the run is at depth ${state.current_depth}`);
    }
    if (state.frontier_node_ids.includes(node_id)) problems.push(`provisional node ${node_id} is in the frontier`);
    if (parent_node_id === null || !state.frontier_node_ids.includes(parent_node_id)) {
      problems.push(`provisional node ${node_id} has parent ${parent_node_id}, which is not in the frontier`);
    }
    const from = artifacts.promoted_from_eval_id === null ? undefined : evaluations[artifacts.promoted_from_eval_id];
    if (from?.decision.promoted_to_node_id !== node_id || from.candidate_commit !== commit) {
      problems.push(`provisional node ${node_id} is not what its evaluation came to`);
    }
  }
  return problems;
}

/** The manifest on disk matches the journal, unless the run is under way. */
function manifestProblems({ runRoot, journal }: RecordedTree, manifest: Manifest): TreeProblem[] {
  if (journal.end === undefined) return [];
  const path = join(runRoot, layout.manifest);
  if (!existsSync(path)) return [{ kind: "missing_file", message: `${layout.manifest} is gone` }];
  try {
    if (jsonText(JSON.parse(readFileSync(path, "utf8"))) === jsonText(manifest)) return [];
  } catch (error) {
    return [{ kind: "state_inconsistency", message: `${layout.manifest} is not JSON: ${(error as Error).message}` }];
  }
  const message = `${layout.manifest} does not match the journal; "coppice tree report" writes it again`;
  return [{ kind: "state_inconsistency", message }];
}

function fileProblems({ runRoot, search, journal }: RecordedTree): TreeProblem[] {
  const files: KeptFile[] = [];
  const problems: TreeProblem[] = [];
  for (const node of search.nodes.values()) files.push(node.baseline, ...node.ideas);
  for (const evaluation of search.evaluations.values()) {
    const outcome = knownOutcome(evaluation, journal);
    if (outcome?.state !== "completed") continue;
    files.push(outcome.result.results);
    const logs = layout.evaluationLogs(evaluation.task.evalId);
    if (!existsSync(join(runRoot, logs))) problems.push({ kind: "missing_log", message: `${logs} is gone` });
  }
  for (const { path } of files) {
    if (path.startsWith("/") || path.split("/").includes("..")) {
      problems.push({ kind: "path_scope", message: `${path} is outside of the run` });
    }
  }
  for (const message of changedArtifacts(runRoot, files)) {
    problems.push({ kind: / is gone/.test(message) ? "missing_file" : "sha_mismatch", message });
  }
  return problems;
}

async function branchProblems({ settings }: RecordedTree, manifest: Manifest): Promise<TreeProblem[]> {
  const problems: TreeProblem[] = [];
  for (const { ref_name, commit } of Object.values(manifest.nodes)) {
    try {
      const at = await branchCommit(settings.config.repository, ref_name);
      if (at === commit) continue;
      const message = at === undefined ? `branch ${ref_name} is gone` : `branch ${ref_name} is at ${at}, not ${commit}`;
      problems.push({ kind: at === undefined ? "ref_error" : "ref_mismatch", message });
    } catch (error) {
      problems.push({ kind: "ref_error", message: `branch ${ref_name}: ${(error as Error).message}` });
    }
  }
  return problems;
}

/** `VALIDATION_REPORT.md`. */
export function validationText(treeRunId: string, problems: readonly TreeProblem[]): string {
  const lines = problems.map(({ kind, message }) => `- ${kind}: ${message}`);
  return `# Validation of idea tree ${treeRunId}\n\n${lines.length === 0 ? "No problem found." : lines.join("\n")}\n`;
}
