import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { PoolFactory, Run, RunEnd } from "@coppice/engine";
import { type RunOrigin, runToEnd } from "@coppice/engine/session";
import { defaultShape, defaultWork, pretendedScore } from "../src/config/choices.ts";
import { readManifest } from "../src/manifest/json-text.ts";
import type { Manifest } from "../src/manifest/manifest.ts";
import { type PreparedTree, prepareNewTree, prepareRecordedTree } from "../src/run/prepare-tree.ts";
import { openTree, type TreeOnDisk } from "../src/run/recorded-tree.ts";
import { newSettings } from "../src/run/tree-settings.ts";
import type { TreeConfig, TreeSettings, TreeShape, TreeWork } from "../src/settings.ts";

const step = { command: ["true"], timeoutMs: null, environment: {} };

const config: TreeConfig = {
  repository: "/nowhere",
  baseline: null,
  ideas: { kind: "folder", path: "/nowhere/ideas" },
  link: [],
  share: [],
  steps: { setup: null, implement: step, review: null, test: null, sweep: step },
  review: { maxRounds: 0, proceedOnMaxRounds: false },
  results: { format: "csv", idColumn: "config_id", errorColumn: null },
  score: pretendedScore,
};

/** A dry run of seven ideas per node, the best three promoted, two depths deep. */
export function drySettings(changes: { shape?: Partial<TreeShape>; work?: Partial<TreeWork> } = {}): TreeSettings {
  const shape = { ...defaultShape, ideasPerNode: 7, beamWidth: 3, sweepConfigLimit: 5, dryRun: true, ...changes.shape };
  const work: TreeWork = { ...defaultWork, maxDepth: 2, parallelBackend: "inline", ...changes.work };
  return newSettings("dry", { rootCommit: "0".repeat(40), config, shape, work });
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-tree-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface GrowOptions {
  readonly resume?: boolean;
  /** Instead of the one that does what the settings say. */
  readonly evaluator?: PreparedTree["evaluator"];
  readonly pool?: PoolFactory;
  readonly onRun?: (run: Run<unknown>) => void;
}

export interface GrownTree {
  readonly end: RunEnd;
  readonly manifest: Manifest;
}

/** Grows the tree that is recorded in a directory with these settings, or a new one there, as a command would. */
export function grow(runRoot: string, settings: TreeSettings, options: GrowOptions = {}): Promise<GrownTree> {
  if (options.resume === true) return growOn(openTree(runRoot, settings), options);
  return toEnd(prepareNewTree(settings), { runs: dirname(runRoot), id: basename(runRoot) }, options);
}

/** Goes on with a tree as it was read. */
export function growOn(tree: TreeOnDisk, options: GrowOptions = {}): Promise<GrownTree> {
  return toEnd(prepareRecordedTree(tree), { resume: tree.runRoot }, options);
}

async function toEnd(
  prepared: PreparedTree,
  origin: RunOrigin,
  { evaluator = prepared.evaluator, pool, onRun }: GrowOptions,
): Promise<GrownTree> {
  const ends: RunEnd[] = [];
  const chosen = { ...prepared, evaluator, ...(pool === undefined ? {} : { pool: async () => pool }) };
  const { directory } = await runToEnd(chosen, origin, {
    onRun: (run) => {
      run.subscribe((event) => {
        if (event.type === "finished") ends.push(event.end);
      });
      onRun?.(run);
    },
  });
  return { end: ends[0], manifest: readManifest(directory) };
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
