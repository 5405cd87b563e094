import { join } from "node:path";
import type { GrownTree, Manifest, ManifestEvaluation } from "@coppice/ideas";
import { compareIds, evaluationCount, layout } from "@coppice/ideas";
import { oneLine } from "../exit-code.ts";
import { printJson } from "../session/print-json.ts";
import { commandName, placeOption } from "../session/resume-command.ts";
import { exitCodeOfEnd } from "./grow.ts";
import { spentBudgets, whyEmpty } from "./why-ended.ts";

/** Prints how growing ended and what came of it, and sets the exit code. */
export function printGrown({ end, manifest }: GrownTree, directory: string, json: boolean): void {
  const { state } = manifest;
  process.exitCode = exitCodeOfEnd(end, state.stop_reason);
  const resume = `${commandName(process.env)} tree resume ${manifest.tree_run_id}${placeOption(directory)}`;
  const spent = spentBudgets(manifest);
  const goesOn = end.state !== "done" || spent.length > 0;
  if (json) printJson({ ...lineUp(manifest, directory), ...(goesOn ? { resume, raise: spent } : {}) });
  else process.stdout.write(`${treeText(manifest, directory)}\n`);
  if (!goesOn) return;
  const how =
    end.state === "interrupted"
      ? oneLine(end.message)
      : `stopped: ${end.state === "done" ? state.stop_reason : oneLine(end.message)}`;
  if (end.state === "stopped" && Object.keys(manifest.nodes).length === 0) {
    process.stderr.write(
      `coppice: run ${manifest.tree_run_id} has no baseline: ${oneLine(end.message)}; mend it and start a new run, or, if nothing has to be committed for that, continue with: ${resume}\n`,
    );
    return;
  }
  const larger = spent.map(({ flag, limit }) => ` ${flag} <more than ${limit}>`).join("");
  process.stderr.write(`coppice: run ${manifest.tree_run_id} ${how}; continue it with: ${resume}${larger}\n`);
}

/** What scripts want to know of a run. */
export function lineUp(manifest: Manifest, directory: string) {
  const { state, nodes, evaluations } = manifest;
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
      .flatMap(({ node_id, parent_node_id, depth, commit, ref_name, status, artifacts }) =>
        artifacts.promoted_from_eval_id === null
          ? []
          : [
              {
                depth: depth - 1,
                eval_id: artifacts.promoted_from_eval_id,
                node_id,
                parent_node_id,
                commit,
                ref_name,
                provisional: status === "provisional",
              },
            ],
      ),
    depth_progress: state.depth_progress_by_depth,
    cost: state.cost,
    digest: state.digest,
  };
}

/** The same for people. */
export function treeText(manifest: Manifest, directory: string): string {
  const { state, nodes } = manifest;
  const evaluations = Object.values(manifest.evaluations);
  const count = (test: (evaluation: ManifestEvaluation) => boolean) => evaluations.filter(test).length;
  const provisional = Object.values(nodes).filter(({ status }) => status === "provisional").length;
  const promoted = Math.max(0, Object.keys(nodes).length - provisional - 1);
  const lines = [
    `tree ${manifest.tree_run_id}: ${evaluationCount(manifest)} evaluations, ${state.current_depth} depths complete, ${state.stop_reason ?? "not ended"}`,
    `  ${count(({ status }) => status === "completed")} completed, ${count(({ status }) => status === "failed")} failed, ${count(({ decision }) => decision.passed_gate === true)} passed the gate, ${promoted} promoted${provisional === 0 ? "" : `, ${provisional} provisional`}`,
  ];
  for (const nodeId of state.best_path.slice(1)) {
    const node = nodes[nodeId];
    const rank = node.root_rank === null ? "" : `, rank ${node.root_rank.toFixed(4)}`;
    const idea = node.idea_chain.at(-1) ?? "";
    const reported = node.status === "provisional" ? ", provisional" : "";
    lines.push(`  best: ${nodeId} ${idea.slice(idea.lastIndexOf("/") + 1)} (${node.ref_name}${rank}${reported})`);
  }
  const empty = whyEmpty(manifest);
  if (empty !== undefined) lines.push(`  ${oneLine(empty)}`);
  const waiting = evaluations.filter(({ decision }) => decision.promotion_reason === "would_be_selected");
  if (waiting.length > 0) lines.push(`  would be promoted: ${waiting.map(({ eval_id }) => eval_id).join(", ")}`);
  const refused = Object.values(nodes).flatMap(({ refused_ideas }) => refused_ideas);
  for (const text of new Set(refused.map(({ name, reason }) => `  not used: ${JSON.stringify(name)}: ${reason}`))) {
    lines.push(text);
  }
  lines.push(`  ${join(directory, layout.summary)}`, `  ${join(directory, layout.page)}`);
  return lines.join("\n");
}
