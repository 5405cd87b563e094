import { writtenChoices } from "../config/choices.ts";
import type { Metrics, TreeId } from "../contract.ts";
import { withTaskName } from "../report/task-name.ts";
import { withoutIds } from "../results/results-table.ts";
import type { TreeJournal } from "../run/tree-journal.ts";
import { candidateRef, layout, nodeRef } from "../run-layout.ts";
import { branch } from "../search/idea-choice.ts";
import { taskKey } from "../search/task-key.ts";
import type { TreeSearch } from "../search/tree-search.ts";
import { completedResult, type NodeState, ROOT_ID } from "../search/tree-state.ts";
import type { TreeSettings } from "../settings.ts";
import { NO_COST } from "../steps/reported-cost.ts";
import { conversationConfig, conversationOfNode, conversationRecords, turnsByIdea } from "./conversation-record.ts";
import { decisionRecord, evaluationRecord, finite, provenance, taskRecord } from "./evaluation-record.ts";
import { isoTime } from "./json-text.ts";
import type { DepthProgress, ManifestEvaluation, ManifestEvent, ManifestTask } from "./manifest.ts";
import { type JudgedDepth, judgedDepth, type ReportedTree, reportedTree, stopOf } from "./reported-tree.ts";

/** What a manifest is made of: the search as far as it was told, and the journal as far as it was read. */
export interface ManifestSources {
  readonly settings: TreeSettings;
  readonly search: TreeSearch;
  readonly journal: TreeJournal;
  readonly events: readonly ManifestEvent[];
}

/**
 * The manifest of a run. Evaluations that finished after the search was last told (a run that was stopped) are judged
 * here in the same way as at a barrier, so that what was paid for is never without a verdict.
 */
export function buildManifest({ settings, search, journal, events }: ManifestSources) {
  const root = search.nodes.get(ROOT_ID);
  const stop = namedStop(stopOf(journal.end, search.stopReason), search);
  const strictlyStopped = stop.stop_reason === "strict_depth_failure";
  const evaluations: Record<TreeId, ManifestEvaluation> = {};
  const tasksByDepth: Record<string, ManifestTask[]> = {};
  const progress: Record<string, DepthProgress> = {};
  const turns = turnsByIdea(search.nodes);
  const ended = stop.stop_reason !== null;
  const judged = search.depths.map((depth) => judgedDepth(depth, journal, ended, search.shapeOf(depth.depth)));
  const reported = reportedTree(search, stop.stop_reason, settings, judged.at(-1));
  for (const depth of judged) {
    const tasks: ManifestTask[] = [];
    for (const evaluation of depth.evaluations) {
      const { evalId } = evaluation.task;
      const track = journal.tasks.get(evaluation.key);
      const skipped = strictlyStopped && (track === undefined || track.state === "queued");
      tasks.push(taskRecord(evaluation, track, skipped));
      evaluations[evalId] = evaluationRecord({
        treeRunId: settings.treeRunId,
        maxRetries: settings.work.evalRetries,
        config: settings.config,
        evaluation,
        result: completedResult(evaluation),
        track,
        skipped,
        spent: journal.byEvaluation.get(evalId),
        turn: turns.get(evaluation.task.idea.path),
        decision: decisionRecord(evaluation, depth, settings, journal, reported),
      });
    }
    tasksByDepth[depth.depth] = tasks;
    progress[depth.depth] = depthProgress(depth, tasks, journal);
  }
  return {
    manifest_version: 3,
    tree_run_id: settings.treeRunId,
    created_at: isoTime(journal.createdAt),
    updated_at: isoTime(journal.updatedAt),
    run_config: runConfig(settings),
    conversation_config: conversationConfig(settings),
    root: {
      root_commit: settings.rootCommit,
      root_ref_name: root === undefined ? null : nodeRef(settings.treeRunId, ROOT_ID),
      root_baseline_csv_path: root?.baseline.path ?? null,
      root_baseline_provenance: root === undefined ? null : provenance(root.baseline, settings.config.baseline),
      /** A column that came out different when the root was measured a second time. */
      noise: search.noise() ?? null,
      /** How often everything is measured at least. */
      repeats: search.shapeOf(0).repeats,
    },
    state: {
      current_depth: search.depths.filter(({ complete }) => complete).length,
      frontier_node_ids: search.frontier.map(({ nodeId }) => nodeId),
      expanded_node_ids_by_depth: Object.fromEntries(
        search.depths
          .filter(({ evaluations, complete }) => evaluations.length > 0 || complete)
          .map(({ depth, frontier }) => [depth, frontier.map(({ nodeId }) => nodeId)]),
      ),
      completed_depths: search.depths.filter(({ complete }) => complete).map(({ depth }) => depth),
      next_node_id: Math.max(1, search.nodes.size),
      next_eval_id: search.evaluations.size + 1,
      task_plan_by_depth: tasksByDepth,
      depth_progress_by_depth: progress,
      deferred_cleanup: search.depths.flatMap(({ deferred }) => deferred),
      ...stop,
      best_node_id: reported.bestPath.at(-1) ?? null,
      best_path: reported.bestPath,
      cost: { money: journal.money, tokens: journal.tokens },
      cost_by_step: journal.byStep,
      digest: journal.end?.event === "finished" ? (journal.digest ?? null) : null,
    },
    events: [...events, ...provisionalPromotions(reported, stop.stop_reason, journal)],
    conversations: conversationRecords(search.nodes),
    nodes: Object.fromEntries(
      [...reported.nodes.values()].map((node) => [
        node.nodeId,
        nodeRecord(node, reported, settings, journal, evaluations[node.evalId ?? ""], search.rootMetrics),
      ]),
    ),
    evaluations,
  } as const;
}

/** Why it stopped, by the idea that it was and not by its task. */
function namedStop<Stop extends ReturnType<typeof stopOf>>(stop: Stop, search: TreeSearch): Stop {
  const { stop_reason_detail: detail } = stop;
  return { ...stop, stop_reason_detail: detail === null ? null : withTaskName(detail, search) };
}

/** The promotions of a stop, on record only as long as it lasts. */
function provisionalPromotions(
  { nodes, provisional }: ReportedTree,
  reason: string | null,
  { end }: TreeJournal,
): ManifestEvent[] {
  return [...provisional.keys()].flatMap((nodeId) => {
    const node = nodes.get(nodeId);
    if (node === undefined) return [];
    const details = { depth: node.depth - 1, eval_id: node.evalId, node_id: nodeId, provisional: true, reason };
    return [{ ts: isoTime(end?.at) ?? "", type: "promotion", details }];
  });
}

export function depthProgress(
  { depth, evaluations }: JudgedDepth,
  tasks: readonly ManifestTask[],
  journal: TreeJournal,
) {
  const count = (state: ManifestTask["task_state"]) => tasks.filter((task) => task.task_state === state).length;
  const [queued, running, completed, failed] = [count("queued"), count("running"), count("completed"), count("failed")];
  let [requeued, attempts, updatedAt] = [0, 0, 0];
  for (const evaluation of evaluations) {
    const track = journal.tasks.get(evaluation.key);
    if (track === undefined) continue;
    requeued += track.requeues;
    attempts += track.executions;
    updatedAt = Math.max(updatedAt, track.finishedAt ?? track.startedAt ?? track.queuedAt);
  }
  const done = completed + failed;
  return {
    depth,
    total_tasks: tasks.length,
    queued,
    running,
    completed,
    failed,
    done,
    pending: Math.max(0, tasks.length - done),
    requeued,
    attempts_total: attempts,
    /** Ideas and repeats included. */
    cost: journal.byDepth.get(depth) ?? NO_COST,
    updated_at: updatedAt === 0 ? null : isoTime(updatedAt),
  } as const;
}

export function nodeRecord(
  node: NodeState,
  reported: ReportedTree,
  settings: TreeSettings,
  journal: TreeJournal,
  from: ManifestEvaluation | undefined,
  rootMetrics: Metrics | undefined,
) {
  const path = branch(node, reported.nodes).reverse();
  const { evalId } = node;
  // A provisional node is the candidate itself, with its branch, worktree and results, until the run goes on.
  const candidate = reported.provisional.has(node.nodeId) ? evalId : null;
  const made = evalId === null ? taskKey.root : taskKey.promotion(node.depth - 1, node.nodeId, evalId);
  return {
    node_id: node.nodeId,
    parent_node_id: node.parentNodeId,
    depth: node.depth,
    commit: node.commit,
    ref_name:
      candidate === null ? nodeRef(settings.treeRunId, node.nodeId) : candidateRef(settings.treeRunId, candidate),
    worktree_path: settings.shape.dryRun
      ? null
      : candidate === null
        ? layout.nodeWorktree(node.nodeId)
        : layout.candidateWorktree(candidate),
    baseline_results_csv_path: node.baseline.path,
    node_ideas_dir: layout.nodeIdeas(node.nodeId),
    idea_chain: path.flatMap(({ madeBy }) => (madeBy === null ? [] : [madeBy.path])),
    generated_idea_files: node.ideas.map((idea) => idea.path),
    context_ideas_dirs: path.filter((owner) => owner !== node).map((owner) => layout.nodeIdeas(owner.nodeId)),
    context_idea_files: path
      .filter((owner) => owner !== node)
      .flatMap(({ madeBy }) => (madeBy === null ? [] : [{ path: madeBy.path, sha256: madeBy.sha256 }])),
    refused_ideas: node.listed?.refused ?? [],
    dedupe: {
      policy: {
        scope: settings.shape.dedupeScope,
        normalization: "line ends, indentation, blank lines, bullets, case",
      },
      skipped: node.skipped.map(({ idea, reason }) => ({ path: idea.path, hash: idea.textHash, reason })),
    },
    ...conversationOfNode(node, reported.nodes),
    artifacts: {
      promoted_from_eval_id: evalId,
      baseline_provenance: provenance(
        node.baseline,
        evalId === null ? settings.config.baseline : candidate === null ? layout.candidateResults(evalId) : null,
      ),
    },
    metrics: made === taskKey.root ? withoutIds(rootMetrics ?? {}, settings.config) : (from?.metrics ?? {}),
    because: from === undefined ? null : from.because,
    root_rank: finite(reported.scoreOf(node)),
    created_at: isoTime(candidate === null ? journal.tasks.get(made)?.finishedAt : journal.end?.at),
    // Provisional: the best of a depth that was stopped, for reports; nothing is grown from it, and resuming forgets it.
    status: candidate === null ? "ready" : "provisional",
  } as const;
}

function runConfig({ shape, work, config, shapes, changes }: TreeSettings): Readonly<Record<string, unknown>> {
  return {
    ...writtenChoices({ ...shape, ...work }),
    stop_on_empty_frontier: true,
    artifact_policy: "copy_to_run_root",
    ideas_context_strategy: "node_plus_ancestors",
    config,
    shapes,
    changes: changes.map(({ at, ...change }) => ({ at: isoTime(at), ...change })),
  };
}
