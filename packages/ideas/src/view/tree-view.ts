import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { Cost, ReviewRound, StepCosts } from "../contract.ts";
import type { Manifest, ManifestEvaluation, ManifestNode } from "../manifest/manifest.ts";
import { evaluationsInOrder, fileName, gateText } from "../report/in-order.ts";
import { manifestOf, readTree } from "../run/recorded-tree.ts";
import { layout } from "../run-layout.ts";
import { ROOT_ID } from "../search/tree-state.ts";

/** Letters of an idea that are shown, and of all ideas of a run together. */
const MOST_LETTERS = 2000;
const MOST_LETTERS_IN_ALL = 1_000_000;
/** Last lines of a failure, and issues of a review, that are shown. */
const MOST_LINES = 20;

/** A tree as pages show it: every idea that was tried, below the one it builds upon. */
export interface TreeView {
  readonly stopReason: string | null;
  readonly depths: number;
  readonly money: number;
  readonly tokens: number;
  /** What each step spent, in all. */
  readonly costs: StepCosts;
  /** What each depth spent, ideas and repeats included. */
  readonly depthCosts: readonly Cost[];
  /** The root first, then by number; an idea comes after the one it builds upon. */
  readonly ideas: readonly TriedIdea[];
}

/** One idea, tried on a node; the first of a tree is its root, which nobody had to think of. */
export interface TriedIdea {
  /** Of its evaluation; of the root, of its node. */
  readonly id: string;
  /** Place of the idea it builds upon; null for the root. */
  readonly parent: number | null;
  readonly name: string;
  readonly fate: "root" | "promoted" | "provisional" | "passed" | "rejected" | "failed" | "running" | "queued";
  /** On the way to the best node. */
  readonly best: boolean;
  readonly node: string | null;
  /** Against the root; what ideas are ranked by. */
  readonly score: number | null;
  readonly rank: number | null;
  /** Why it was promoted, or why not. */
  readonly why: string;
  readonly text?: string;
  readonly parentScore?: number | null;
  readonly grade?: string;
  readonly reasons?: readonly string[];
  readonly metrics?: ManifestEvaluation["metrics"];
  /** What the node it was tried on came to beside it, where both were measured several times; absent where once. */
  readonly parentMetrics?: ManifestEvaluation["metrics"];
  readonly reviews?: readonly ReviewRound[];
  readonly seconds?: number;
  readonly attempts?: number;
  readonly money?: number;
  readonly tokens?: number;
  /** The same by step. */
  readonly costs?: StepCosts;
  readonly branch?: string;
  /** What git shows the change by. */
  readonly diff?: string;
  /** In the run's folder. */
  readonly logs?: string;
  /** Of its node: how the paths begin of what its set-up, its repeats and the generator of its ideas printed and were asked. */
  readonly nodeFiles?: readonly string[];
  readonly lastLines?: readonly string[];
}

/** What there is to see of a tree, also while it grows. */
export function readTreeView(directory: string): TreeView {
  const runRoot = resolve(directory);
  return treeView(manifestOf(readTree(runRoot)), ideaTexts(runRoot));
}

/** A manifest as a page shows it; `textOf` finds the text of an idea by its path. */
function treeView(manifest: Manifest, textOf: (path: string) => string | undefined): TreeView {
  const { state, nodes } = manifest;
  const best = new Set<string | null>(state.best_path);
  const places = new Map<string, number>([[ROOT_ID, 0]]);
  const evaluations = evaluationsInOrder(manifest);
  evaluations.forEach(({ decision }, index) => {
    if (decision.promoted_to_node_id !== null) places.set(decision.promoted_to_node_id, index + 1);
  });
  const root: TriedIdea = {
    ...{ id: ROOT_ID, parent: null, name: "the root", fate: "root", best: best.has(ROOT_ID), node: ROOT_ID },
    ...{ score: null, rank: null, why: "what every idea is measured against" },
    ...(nodes[ROOT_ID] === undefined
      ? {}
      : { branch: nodes[ROOT_ID].ref_name, metrics: nodes[ROOT_ID].metrics, nodeFiles: nodeFiles(nodes[ROOT_ID]) }),
  };
  return {
    stopReason: state.stop_reason,
    depths: state.current_depth,
    ...state.cost,
    costs: state.cost_by_step,
    depthCosts: Object.values(state.depth_progress_by_depth)
      .sort((a, b) => a.depth - b.depth)
      .map(({ cost }) => cost),
    ideas: [
      root,
      ...evaluations.map((evaluation) => {
        const { promoted_to_node_id: node } = evaluation.decision;
        const text = textOf(evaluation.idea_path);
        return {
          ...ideaOf(evaluation, places.get(evaluation.parent_node_id) ?? 0),
          best: node !== null && best.has(node),
          branch: node === null ? evaluation.candidate_ref_name : nodes[node].ref_name,
          ...(node === null || nodes[node].because === null ? {} : { why: `promoted because ${nodes[node].because}` }),
          ...(node === null ? {} : { nodeFiles: nodeFiles(nodes[node]) }),
          ...(text === undefined ? {} : { text }),
        };
      }),
    ],
  };
}

function nodeFiles({ node_id, conversation_id }: ManifestNode): readonly string[] {
  const logs = [`${layout.nodeLogs(node_id)}/`, `${layout.ideasLogs(node_id)}/`];
  return conversation_id === null ? logs : [...logs, `conversations/${conversation_id}_`];
}

function ideaOf(evaluation: ManifestEvaluation, parent: number): TriedIdea {
  const { decision, parent_relative, root_relative, started_at, finished_at, cost, candidate_commit } = evaluation;
  const { reasons, grade } = root_relative?.recommendation_summary ?? {};
  const hasEnded = started_at !== null && finished_at !== null;
  return {
    id: evaluation.eval_id,
    parent,
    name: fileName(evaluation.idea_path),
    fate: fateOf(evaluation),
    best: false,
    node: decision.promoted_to_node_id,
    score: decision.rank_score,
    rank: decision.rank,
    why: whyOf(evaluation),
    metrics: evaluation.metrics,
    ...(evaluation.repeats?.parent_metrics == null ? {} : { parentMetrics: evaluation.repeats.parent_metrics }),
    reviews: evaluation.review_rounds.map((round) => ({ ...round, issues: round.issues.slice(0, MOST_LINES) })),
    attempts: evaluation.executions,
    logs: evaluation.experiment_dir,
    ...(parent_relative === null ? {} : { parentScore: parent_relative.score }),
    ...(grade === undefined ? {} : { grade }),
    ...(reasons === undefined ? {} : { reasons: reasons.slice(0, MOST_LINES) }),
    ...(hasEnded ? { seconds: (Date.parse(finished_at) - Date.parse(started_at)) / 1000 } : {}),
    ...cost,
    costs: evaluation.cost_by_step,
    ...(candidate_commit === null
      ? {}
      : {
          diff: `git diff ${[evaluation.node_commit, candidate_commit].map((commit) => commit.slice(0, 12)).join(" ")}`,
        }),
    ...(evaluation.error_payload === null ? {} : { lastLines: evaluation.error_payload.log_tail.slice(-MOST_LINES) }),
  };
}

function fateOf({ status, decision }: ManifestEvaluation): TriedIdea["fate"] {
  if (decision.promoted_to_node_id !== null) {
    return decision.promotion_reason === "provisional" ? "provisional" : "promoted";
  }
  if (status !== "completed") return status;
  return decision.passed_gate === true ? "passed" : "rejected";
}

function whyOf(evaluation: ManifestEvaluation): string {
  const { decision, error } = evaluation;
  if (error !== null) return error;
  const { rank, promotion_error, promoted_to_node_id: node } = decision;
  const place = rank === null ? "" : `, place ${rank + 1} of its depth`;
  if (promotion_error !== null) return `could not be promoted: ${promotion_error}`;
  if (node !== null) return `became node ${node}: it passed the gate${place}`;
  const gate = gateText(evaluation);
  if (gate === "") return "not judged yet";
  return gate === "pass" ? `passed the gate${place}: others were better` : `turned down: ${decision.gate_reason ?? ""}`;
}

/** Reads ideas from a run's own folder, and from nowhere that a link in it leads to. */
function ideaTexts(runRoot: string): (path: string) => string | undefined {
  const home = `${realpathSync(runRoot)}${sep}`;
  let left = MOST_LETTERS_IN_ALL;
  return (path) => {
    const file = join(home, path);
    const found = left > 0 ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (found?.isFile() !== true || !realpathSync(file).startsWith(home)) return undefined;
    const whole = readFileSync(file, "utf8");
    const text = whole.length > MOST_LETTERS ? `${whole.slice(0, MOST_LETTERS)} …` : whole;
    left -= text.length;
    return text;
  };
}
