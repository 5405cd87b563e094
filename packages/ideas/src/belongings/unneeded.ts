import { relative } from "node:path";
import { markedProcesses, processStart } from "@coppice/engine/child-process";
import type { TreeId } from "../contract.ts";
import { openRun } from "../evaluate/open-run.ts";
import { mendWorktrees } from "../git/mend-repository.ts";
import type { TreeOnDisk } from "../run/recorded-tree.ts";
import type { TreeJournal } from "../run/tree-journal.ts";
import { parseKey } from "../search/task-key.ts";
import { ROOT_ID } from "../search/tree-state.ts";
import type { TreeSettings } from "../settings.ts";
import { type Belonging, Belongings, type Recorded } from "./belongings.ts";
import { removeBelongings } from "./remove-belongings.ts";

/** A belonging as people read of it. */
export interface NamedBelonging {
  readonly kind: Belonging["kind"];
  /** Path relative to the run's root, the branch's name, or the step and its pid. */
  readonly name: string;
}

/** What a run still needs of what it made. */
export interface NeededIds {
  readonly nodes: ReadonlySet<TreeId>;
  readonly evaluations: ReadonlySet<TreeId>;
}

/** Nodes, candidates that may yet be promoted, and what the run was told to keep. */
export function neededIds({ work }: Pick<TreeSettings, "work">, journal: TreeJournal): NeededIds {
  const nodes = new Set<TreeId>();
  const evaluations = new Set<TreeId>();
  for (const { key, state } of journal.tasks.values()) {
    const task = parseKey(key);
    if (task.kind === "root" && state === "completed") nodes.add(ROOT_ID);
    if (task.kind === "promotion" && state === "completed") nodes.add(task.nodeId);
    if (task.kind !== "evaluation") continue;
    const judged = task.depth < journal.depthsComplete;
    const keepFailed = state === "failed" && work.keepFailedArtifacts;
    if (keepFailed || (judged ? work.keepRejectedWorktrees : state === "completed")) evaluations.add(task.evalId);
  }
  return { nodes, evaluations };
}

/** Everything a run has made outside its own folder. */
export function allBelongings(runRoot: string): readonly NamedBelonging[] {
  return new Belongings(runRoot).list().map((recorded) => named(runRoot, recorded));
}

/** What the run made and does not need. Live processes and temporary folders never are needed. */
export function unneededBelongings(runRoot: string, { nodes, evaluations }: NeededIds): readonly NamedBelonging[] {
  const unneeded = new Belongings(runRoot).list().filter(({ owner, thing, deferred }) => {
    // The record of a process that ended together with its worker is all that is left of it.
    if (thing.kind === "process") {
      return processStart(thing.pid) === thing.pidStart || markedProcesses(thing.mark).length > 0;
    }
    if (deferred !== undefined || thing.kind === "folder") return true;
    if (owner.startsWith("n")) return !nodes.has(owner.slice(1));
    return !(owner.startsWith("e") && evaluations.has(owner.slice(1)));
  });
  return unneeded.map((recorded) => named(runRoot, recorded));
}

/** Removes what a run does not need, or everything it has made; nobody may be at work on it. */
export async function cleanTree(
  { runRoot, settings, journal }: TreeOnDisk,
  all: boolean,
): Promise<{ readonly found: number; readonly left: readonly string[] }> {
  if (!settings.shape.dryRun) {
    const { gitDirectory } = await openRun(runRoot, settings);
    await mendWorktrees(gitDirectory, runRoot);
  }
  const found = all ? allBelongings(runRoot) : unneededBelongings(runRoot, neededIds(settings, journal));
  return { found: found.length, left: await removeNamed(runRoot, settings, found) };
}

/** Removes belongings by name, and never anything that is not on the run's own record; says what could not be removed. */
export async function removeNamed(
  runRoot: string,
  settings: TreeSettings,
  wanted: readonly NamedBelonging[],
): Promise<readonly string[]> {
  const names = new Set(wanted.map(({ kind, name }) => `${kind} ${name}`));
  const things = new Belongings(runRoot).list().filter((recorded) => {
    const { kind, name } = named(runRoot, recorded);
    return kind === "process" || names.has(`${kind} ${name}`);
  });
  if (things.length === 0) return [];
  const deferred = await removeBelongings(await openRun(runRoot, settings), things);
  return deferred.map((recorded) => `${named(runRoot, recorded).name}: ${recorded.deferred}`);
}

function named(runRoot: string, { thing }: Recorded): NamedBelonging {
  switch (thing.kind) {
    case "branch":
      return { kind: thing.kind, name: thing.branch };
    case "process":
      return { kind: thing.kind, name: `${thing.step} (pid ${thing.pid})` };
    case "worktree":
    case "folder":
      return { kind: thing.kind, name: relative(runRoot, thing.path) };
  }
}
