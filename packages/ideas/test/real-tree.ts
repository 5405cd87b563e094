import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultShape, defaultWork } from "../src/config/default-choices.ts";
import { listLeftovers, removeLeftovers } from "../src/ground/ground.ts";
import { type GrownTree, type GrowOptions, growTree } from "../src/run/grow-tree.ts";
import { newPlan, type TreePlan } from "../src/run/tree-plan.ts";
import type { TreeConfig, TreeShape, TreeWork } from "../src/settings.ts";
import type { SmallRepository } from "./small-repository.ts";
import { configOf, type RunChanges } from "./small-run.ts";

const evaluator = new URL("../src/evaluate/evaluator.ts", import.meta.url);

/** A tree over the repository with these ideas (name and text), by default one depth with one worker process. */
export function realPlan(
  repository: SmallRepository,
  ideas: Readonly<Record<string, string>>,
  changes: Omit<RunChanges, "limit"> & { shape?: Partial<TreeShape> } = {},
): TreePlan {
  const folder = join(repository.folder, "ideas");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(ideas)) writeFileSync(join(folder, name), text);
  const config: TreeConfig = configOf(repository, changes);
  const shape: TreeShape = { ...defaultShape, dedupeScope: "accepted", ...changes.shape };
  const work: TreeWork = { ...defaultWork, maxDepth: 1, ...changes.work };
  return newPlan(changes.id ?? "real", repository.head, config, shape, work);
}

export function runRootOf(repository: SmallRepository, plan: TreePlan): string {
  return join(repository.folder, "runs", plan.treeRunId);
}

/** Grows the tree for real, in this process. */
export function growReal(
  repository: SmallRepository,
  plan: TreePlan,
  changes: Partial<GrowOptions> = {},
): Promise<GrownTree> {
  const runRoot = runRootOf(repository, plan);
  mkdirSync(join(runRoot, ".."), { recursive: true });
  return growTree({ runRoot, plan, resume: false, evaluator, ground: { listLeftovers, removeLeftovers }, ...changes });
}

/** Grows it in a process of its own, which a test may kill; everything that process starts carries the mark too. */
export function growElsewhere(repository: SmallRepository, plan: TreePlan, mark = ""): ChildProcess {
  mkdirSync(join(repository.folder, "runs"), { recursive: true });
  const file = join(repository.folder, `${plan.treeRunId}.plan.json`);
  writeFileSync(file, JSON.stringify(plan));
  const entry = fileURLToPath(new URL("grow-entry.ts", import.meta.url));
  return spawn(process.execPath, [entry, file, runRootOf(repository, plan)], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, COPPICE_RUN_TOKEN: mark },
  });
}
