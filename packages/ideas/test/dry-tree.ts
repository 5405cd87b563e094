import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { defaultScore, defaultShape, defaultWork } from "../src/config/choices.ts";
import { type GrownTree, type GrowOptions, growTree } from "../src/run/grow-tree.ts";
import { openTree } from "../src/run/recorded-tree.ts";
import { newSettings } from "../src/run/tree-settings.ts";
import type { TreeConfig, TreeSettings, TreeShape, TreeWork } from "../src/settings.ts";

const step = { command: ["true"], timeoutMs: null, environment: {} };

const config: TreeConfig = {
  repository: "/nowhere",
  baseline: null,
  ideas: { kind: "folder", path: "/nowhere/ideas" },
  steps: { implement: step, review: null, test: null, sweep: step },
  review: { maxRounds: 0, proceedOnMaxRounds: false },
  results: { format: "csv", idColumn: "config_id", errorColumn: null },
  score: defaultScore,
};

/** A dry run of seven ideas per node, the best three promoted, two depths deep. */
export function drySettings(changes: { shape?: Partial<TreeShape>; work?: Partial<TreeWork> } = {}): TreeSettings {
  const shape = { ...defaultShape, ideasPerNode: 7, beamWidth: 3, sweepConfigLimit: 5, dryRun: true, ...changes.shape };
  const work: TreeWork = { ...defaultWork, maxDepth: 2, parallelBackend: "inline", ...changes.work };
  return newSettings("dry", "0".repeat(40), config, shape, work);
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-tree-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const dryRun = new URL("../src/dry-run/evaluator.ts", import.meta.url);

export function grow(runRoot: string, settings: TreeSettings, changes: Partial<GrowOptions> = {}): Promise<GrownTree> {
  return growTree({ tree: openTree(runRoot, settings), resume: false, evaluator: dryRun, ...changes });
}

/** What two runs of one tree must have in common, whatever happened to them. */
export function essence({ manifest }: Pick<GrownTree, "manifest">) {
  const { state, nodes, evaluations } = manifest;
  return {
    stop: state.stop_reason,
    depth: state.current_depth,
    frontier: state.frontier_node_ids,
    best: state.best_path,
    nodes: Object.values(nodes).map(({ node_id, parent_node_id, commit, idea_chain, artifacts }) => [
      node_id,
      parent_node_id,
      commit,
      idea_chain,
      artifacts.promoted_from_eval_id,
    ]),
    evaluations: Object.values(evaluations).map(({ eval_id, parent_node_id, idea_path, status, decision }) => [
      eval_id,
      parent_node_id,
      idea_path,
      status,
      decision.passed_gate,
      decision.gate_reason,
      decision.rank,
      decision.promoted_to_node_id,
    ]),
  };
}
