import { resolve } from "node:path";
import { findRun, runningProcess } from "@coppice/engine/records";
import { manifestOf, neededIds, readTree, unneededBelongings } from "@coppice/ideas";
import type { PlaceOptions } from "../options/work-options.ts";
import { printJson } from "../session/print-json.ts";
import { lineUp, treeText } from "./print-tree.ts";

export interface ReadFlags extends PlaceOptions {
  readonly json?: boolean;
}

/** `coppice tree status <run>`: reads the journal, also of a run that is under way. */
export async function treeStatus(named: string, flags: ReadFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  const tree = readTree(resolve(directory));
  const manifest = manifestOf(tree);
  const owner = runningProcess(directory, tree.settings.work.lockStaleMs);
  const made = tree.settings.shape.dryRun
    ? []
    : unneededBelongings(tree.runRoot, neededIds(tree.settings, tree.journal));
  // What a live run is working with is no leftover.
  const leftovers = owner === undefined ? made : [];
  if (flags.json === true) {
    printJson({ ...lineUp(manifest, directory), running: owner ?? null, leftovers });
    return;
  }
  const lines = [treeText(manifest, directory)];
  if (owner !== undefined) lines.push(`  running: pid ${owner.pid} on ${owner.host}`);
  for (const progress of Object.values(manifest.state.depth_progress_by_depth)) {
    const { depth, total_tasks, completed, failed, running, queued, requeued } = progress;
    lines.push(
      `  depth ${depth}: ${completed} of ${total_tasks} completed, ${failed} failed, ${running} running, ${queued} queued, ${requeued} requeued`,
    );
  }
  for (const { kind, name } of leftovers) lines.push(`  left behind: ${kind} ${name}`);
  if (leftovers.length > 0) lines.push(`  remove it with: coppice tree clean ${manifest.tree_run_id}, or by resuming`);
  process.stdout.write(`${lines.join("\n")}\n`);
}
