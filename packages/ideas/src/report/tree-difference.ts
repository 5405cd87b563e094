import { counted } from "@coppice/engine/figures";
import type { Manifest } from "../manifest/manifest.ts";
import { evaluationsInOrder, nodesInOrder } from "./in-order.ts";

/** The first thing that two runs of one tree do not have in common; undefined when they are the same tree. */
export function treeDifference(a: Manifest, b: Manifest): string | undefined {
  const [left, right] = [essence(a), essence(b)];
  for (let line = 0; line < Math.max(left.length, right.length); line++) {
    if (left[line] !== right[line]) return `${left[line] ?? "nothing"} against ${right[line] ?? "nothing"}`;
  }
  return undefined;
}

/** What must not depend on workers, timing or crashes, in lines. */
function essence(manifest: Manifest): string[] {
  const { state } = manifest;
  return [
    ...evaluationsInOrder(manifest).map(
      ({ eval_id, parent_node_id, idea_path, status, candidate_commit, decision }) =>
        `evaluation ${eval_id} of ${idea_path} on ${parent_node_id}: ${status}, commit ${candidate_commit ?? "none"}, gate ${decision.gate_reason ?? "passed"}, rank ${decision.rank ?? "none"}, node ${decision.promoted_to_node_id ?? "none"}`,
    ),
    ...nodesInOrder(manifest).map(
      ({ node_id, parent_node_id, commit, idea_chain }) =>
        `node ${node_id} under ${parent_node_id ?? "nothing"}: commit ${commit}, ideas ${idea_chain.join(" ")}`,
    ),
    ...Object.values(manifest.conversations).map(
      ({ conversation_id, forked_from_turn_id, turns }) =>
        `conversation ${conversation_id} from ${forked_from_turn_id ?? "nothing"}: ${turns.map((turn) => turn.operation_id.slice(0, 16)).join(" ")}`,
    ),
    `stop ${state.stop_reason ?? "none"} at depth ${state.current_depth}, best path ${state.best_path.join(" ")}`,
  ];
}

/** Whether two runs are one tree, in a line. */
export function parityText(a: Manifest, b: Manifest, difference: string | undefined): string {
  const runs = `${a.tree_run_id} and ${b.tree_run_id}`;
  if (difference !== undefined) return `${runs} differ: ${difference}`;
  const count = Object.keys(a.evaluations).length;
  const digest = a.state.digest === b.state.digest ? `, one digest ${a.state.digest ?? ""}` : "";
  return `${runs} are one tree: ${counted(count, "evaluation")}, ${counted(Object.keys(a.nodes).length - 1, "promotion")}${digest}`;
}
