import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultShape, defaultWork } from "../src/config/choices.ts";
import { newSettings } from "../src/run/tree-settings.ts";
import type { TreeConfig, TreeSettings, TreeShape, TreeWork } from "../src/settings.ts";
import { type GrowOptions, grow } from "./dry-tree.ts";
import type { SmallRepository } from "./small-repository.ts";
import { configOf, type RunChanges } from "./small-run.ts";

/** A tree over the repository with these ideas (name and text), by default one depth, one evaluation at a time, in this process. */
export function realSettings(
  repository: SmallRepository,
  ideas: Readonly<Record<string, string>>,
  changes: Omit<RunChanges, "limit"> & { shape?: Partial<TreeShape> } = {},
): TreeSettings {
  const folder = join(repository.folder, "ideas");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(ideas)) writeFileSync(join(folder, name), text);
  const config: TreeConfig = configOf(repository, changes);
  const shape: TreeShape = { ...defaultShape, repeats: 1, dedupeScope: "accepted", ...changes.shape };
  const work: TreeWork = { ...defaultWork, maxDepth: 1, parallelBackend: "inline", ...changes.work };
  return newSettings(changes.id ?? "real", { rootCommit: repository.head, config, shape, work });
}

export function runRootOf(repository: SmallRepository, settings: TreeSettings): string {
  return join(repository.folder, "runs", settings.treeRunId);
}

/** Grows the tree for real, in this process. */
export function growReal(repository: SmallRepository, settings: TreeSettings, options: GrowOptions = {}) {
  return grow(runRootOf(repository, settings), settings, options);
}

/** Grows it in a process of its own, which a test may kill; everything that process starts carries the mark too. */
export function growElsewhere(repository: SmallRepository, settings: TreeSettings, mark = ""): ChildProcess {
  mkdirSync(join(repository.folder, "runs"), { recursive: true });
  const file = join(repository.folder, `${settings.treeRunId}.settings.json`);
  writeFileSync(file, JSON.stringify(settings));
  const entry = fileURLToPath(new URL("grow-entry.ts", import.meta.url));
  return spawn(process.execPath, [entry, file, runRootOf(repository, settings)], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, COPPICE_RUN_TOKEN: mark },
  });
}
