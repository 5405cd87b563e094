import { join } from "node:path";
import { runningProcess } from "@coppice/engine/records";
import { type EndedRun, PAGE_NAME } from "@coppice/engine/session";
import { type NamedBelonging, neededIds, unneededBelongings } from "../belongings/unneeded.ts";
import type { Manifest, ManifestEvaluation } from "../manifest/manifest.ts";
import { roundedText } from "../manifest/promoted-because.ts";
import { manifestOf, readTree } from "../run/recorded-tree.ts";
import { layout } from "../run-layout.ts";
import { compareIds } from "../search/tree-state.ts";
import { costText, evaluationsInOrder, extentText, fileName, noiseText, scoreText, spentText } from "./in-order.ts";

/** A run for people: how far it is, its best path, and why it ended. */
export function treeText(manifest: Manifest, directory: string): string {
  const { state, nodes } = manifest;
  const evaluations = Object.values(manifest.evaluations);
  const count = (test: (evaluation: ManifestEvaluation) => boolean) => evaluations.filter(test).length;
  const provisional = Object.values(nodes).filter(({ status }) => status === "provisional").length;
  const promoted = Math.max(0, Object.keys(nodes).length - provisional - 1);
  const lines = [
    `tree ${manifest.tree_run_id}: ${extentText(manifest)}, ${state.stop_reason ?? "not ended"}`,
    `  ${count(({ status }) => status === "completed")} completed, ${count(({ status }) => status === "failed")} failed, ${count(({ decision }) => decision.passed_gate === true)} passed the gate, ${promoted} promoted${provisional === 0 ? "" : `, ${provisional} provisional`}`,
  ];
  for (const nodeId of state.best_path.slice(1)) {
    const { root_rank, idea_chain, ref_name, status, because } = nodes[nodeId];
    const rank = root_rank === null ? "" : `, rank ${scoreText(root_rank)}`;
    const until = status === "provisional" ? ", provisional" : "";
    lines.push(`  best: ${nodeId} ${fileName(idea_chain.at(-1) ?? "")} (${ref_name}${rank}${until})`);
    if (because !== null) lines.push(`    promoted because ${because}`);
  }
  const { noise, repeats } = manifest.root;
  const [compared] = evaluations.flatMap((evaluation) => evaluation.repeats ?? []);
  if (compared !== undefined) {
    const seen = noise === null ? "" : `noise: ${noiseText(noise)} on the root, so `;
    const test = compared.test === "paired" ? "a paired t-test" : "Welch's t-test";
    lines.push(`  ${seen}everything was measured ${repeats} times or more and compared by ${test}`);
  }
  const spent = spentText({ ...state.cost, byStep: state.cost_by_step });
  if (spent !== "") lines.push(`  ${spent}`);
  const empty = whyEmpty(manifest);
  if (empty !== undefined) lines.push(`  ${oneLine(empty)}`);
  const waiting = evaluations.filter(({ decision }) => decision.promotion_reason === "would_be_selected");
  if (waiting.length > 0) lines.push(`  would be promoted: ${waiting.map(({ eval_id }) => eval_id).join(", ")}`);
  const refused = Object.values(nodes).flatMap(({ refused_ideas }) => refused_ideas);
  lines.push(...new Set(refused.map(({ name, reason }) => `  not used: ${JSON.stringify(name)}: ${reason}`)));
  lines.push(`  ${join(directory, layout.summary)}`, `  ${join(directory, PAGE_NAME)}`);
  return lines.join("\n");
}

/** How far a tree is, who works on it, and what it has left in the repository. */
export interface TreeStatus {
  readonly manifest: Manifest;
  readonly running: { readonly pid: number; readonly host: string } | null;
  readonly leftovers: readonly NamedBelonging[];
}

/** Reads the journal, also of a run that is under way. */
export function treeStatus(runRoot: string): TreeStatus {
  const tree = readTree(runRoot);
  const { settings, journal } = tree;
  const running = runningProcess(runRoot, settings.work.lockStaleMs) ?? null;
  // What a live run is working with is needed, and a dry run makes nothing.
  const idle = running === null && !settings.shape.dryRun;
  const leftovers = idle ? unneededBelongings(runRoot, neededIds(settings, journal)) : [];
  return { manifest: manifestOf(tree), running, leftovers };
}

/** Where a tree stands, for people. */
export function statusText({ manifest, running: owner, leftovers }: TreeStatus, directory: string): string {
  const lines = [treeText(manifest, directory)];
  if (owner !== null) lines.push(`  running: pid ${owner.pid} on ${owner.host}`);
  for (const progress of Object.values(manifest.state.depth_progress_by_depth)) {
    const { depth, total_tasks, completed, failed, running, queued, requeued } = progress;
    const spent = costText(progress.cost);
    lines.push(
      `  depth ${depth}: ${completed} of ${total_tasks} completed, ${failed} failed, ${running} running, ${queued} queued, ${requeued} requeued${spent === "" ? "" : `, ${spent}`}`,
    );
  }
  lines.push(...leftovers.map(({ kind, name }) => `  left behind: ${kind} ${name}`));
  if (leftovers.length > 0) lines.push(`  remove it with: coppice tree clean ${manifest.tree_run_id}, or by resuming`);
  return lines.join("\n");
}

/** A run for scripts; with the command that resumes it, where it can go on, and the budgets that want more. */
export function treeDocument(manifest: Manifest, directory: string, resume?: string) {
  const { state, nodes, evaluations } = manifest;
  const raise = spentBudgets(manifest);
  const goesOn = resume !== undefined && (state.digest === null || raise.length > 0);
  return {
    tree_run_id: manifest.tree_run_id,
    run_root: directory,
    manifest_path: join(directory, layout.manifest),
    current_depth: state.current_depth,
    frontier_size: state.frontier_node_ids.length,
    evaluations_total: Object.keys(evaluations).length,
    stop_reason: state.stop_reason,
    stop_reason_detail: state.stop_reason_detail,
    best_path: state.best_path,
    promotions: Object.values(nodes)
      .sort((a, b) => compareIds(a.node_id, b.node_id))
      .flatMap(({ node_id, parent_node_id, depth, commit, ref_name, status, artifacts, because }) => {
        const { promoted_from_eval_id: eval_id } = artifacts;
        const provisional = status === "provisional";
        if (eval_id === null) return [];
        return [{ depth: depth - 1, eval_id, node_id, parent_node_id, commit, ref_name, provisional, because }];
      }),
    depth_progress: state.depth_progress_by_depth,
    cost: state.cost,
    cost_by_step: state.cost_by_step,
    digest: state.digest,
    ...(goesOn ? { resume, raise } : {}),
  };
}

/** What a run that can go on leaves people with; nothing when it has come to its end. */
export function farewellText(end: EndedRun<unknown>, manifest: Manifest, resume: string): string | undefined {
  const { tree_run_id, state, nodes } = manifest;
  const spent = spentBudgets(manifest);
  if (end.state === "done" && spent.length === 0) return undefined;
  const reason = end.state === "done" ? state.stop_reason : oneLine(state.stop_reason_detail ?? end.message);
  if (end.state === "stopped" && Object.keys(nodes).length === 0) {
    return `run ${tree_run_id} has no baseline: ${reason}; fix it and start a new run, or, if nothing has to be committed for that, continue with: ${resume}`;
  }
  const how = end.state === "interrupted" ? reason : `stopped: ${reason}`;
  if (end.state !== "done" && !end.resumable) return `run ${tree_run_id} failed: ${reason}`;
  const larger = spent.map(({ flag, limit }) => ` ${flag} <more than ${limit}>`).join("");
  return `run ${tree_run_id} ${how}; continue it with: ${resume}${larger}`;
}

/** What would let a run that has spent a budget go on: the flag, and what it says now. */
interface SpentBudget {
  readonly flag: string;
  readonly limit: number;
}

/** The budgets that ended a run; none when something else did. */
function spentBudgets({ run_config: given, state }: Manifest): SpentBudget[] {
  const limit = (name: string) => (typeof given[name] === "number" ? given[name] : Number.POSITIVE_INFINITY);
  const budget = (name: string) => ({ flag: `--${name.replaceAll("_", "-")}`, limit: limit(name) });
  switch (state.stop_reason) {
    case "max_total_idea_evals_reached":
      return [budget("max_total_idea_evals")];
    case "max_wall_time_reached":
      // A session's own limit is spent with the session.
      return limit("max_wall_seconds") === Number.POSITIVE_INFINITY ? [] : [budget("max_wall_seconds")];
    case "max_cost_reached":
      return [budget(/tokens/.test(state.stop_reason_detail ?? "") ? "max_tokens" : "max_money")];
    default:
      return [];
  }
}

/** Why a tree that has nothing left to grow has not: one line; nothing for a tree that ended otherwise. */
function whyEmpty(manifest: Manifest): string | undefined {
  const { state, nodes, run_config } = manifest;
  const depth = state.completed_depths.at(-1);
  if (state.stop_reason !== "empty_frontier" || depth === undefined) return undefined;
  const tried = evaluationsInOrder(manifest).filter((evaluation) => evaluation.depth === depth);
  if (tried.length === 0) {
    const ofDepth = Object.values(nodes).filter((node) => node.depth === depth);
    const known = ofDepth.reduce((sum, { dedupe }) => sum + dedupe.skipped.length, 0);
    const first = `no new idea at depth ${depth}`;
    if (known === 0) return first;
    const wider =
      run_config.dedupe_scope === "node_plus_ancestors"
        ? "; --dedupe-scope accepted offers a node what its branch has not taken"
        : "";
    return `${first}: ${known} skipped that ${known === 1 ? "was" : "were"} known${wider}`;
  }
  const reasons = [...Map.groupBy(tried, ({ decision }) => decision.gate_reason ?? "not promoted")];
  return `none passed the gate at depth ${depth}: ${reasons.map(([reason, those]) => `${those.length} ${reason} (${example(those[0])})`).join(", ")}`;
}

function example({ eval_id, error, strict_completeness, decision, parent_relative }: ManifestEvaluation): string {
  if (error !== null) return `${eval_id}: ${error}`;
  if (decision.gate_reason === "incomplete_or_failed_rows" && strict_completeness !== null) {
    const { expected_count, observed_unique_config_ids, ok_count, error_count } = strict_completeness;
    return `${eval_id}: ${observed_unique_config_ids} of ${expected_count ?? 0} ids, ${ok_count} rows without and ${error_count} with errors`;
  }
  const delta = parent_relative?.primary_delta;
  return `${eval_id}: primary delta ${delta == null ? "none" : roundedText(delta)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
