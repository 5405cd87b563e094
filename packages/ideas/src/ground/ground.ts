import { relative } from "node:path";
import { markedProcesses, processStart } from "@coppice/engine/child-process";
import { UsageError } from "@coppice/engine/evaluator";
import { siteOf } from "../evaluate/site.ts";
import { excludeFolder } from "../git/exclude.ts";
import { runBranches } from "../git/refs.ts";
import { openRepository } from "../git/repository.ts";
import { type Belonging, Belongings, type Recorded } from "../leftovers/belongings.ts";
import { removeBelongings } from "../leftovers/remove-belongings.ts";
import type { KeptIds, Leftover, TreeGround } from "./tree-ground.ts";

/** Refuses what is no repository, has no commit, a detached HEAD or uncommitted changes; touches nothing. */
export const inspectRepository: TreeGround["inspectRepository"] = async (path) => {
  const { root, commit, branch } = await openRepository(path, { clean: true });
  return { top: root, commit, branch };
};

/** Refuses a name for a new run under which the repository has branches already. */
export async function refuseTakenName(repository: string, treeRunId: string): Promise<void> {
  const [branch] = await runBranches(repository, treeRunId);
  if (branch === undefined) return;
  throw new UsageError(`${repository} has a branch ${branch} of another run: remove it, or name this run with --id`);
}

/** Keeps the runs directory out of `git status`; does nothing when it is not in the repository. */
export const excludeFromGit: TreeGround["excludeFromGit"] = async (repository, runsDirectory) => {
  const { root, gitDirectory } = await openRepository(repository, { clean: false });
  excludeFolder(root, gitDirectory, runsDirectory);
};

/** What the run made and does not need, given what it still does. */
export const listLeftovers: TreeGround["listLeftovers"] = async (runRoot, _settings, kept) =>
  unneeded(runRoot, kept).map((recorded) => described(runRoot, recorded));

/** Removes leftovers, and never anything that is not on the run's own record; says what could not be removed. */
export const removeLeftovers: TreeGround["removeLeftovers"] = async (runRoot, settings, leftovers) => {
  const belongings = new Belongings(runRoot);
  const wanted = new Set(leftovers.map(({ kind, name }) => `${kind} ${name}`));
  const things = belongings.list().filter((recorded) => {
    const { kind, name } = described(runRoot, recorded);
    return kind === "process" || wanted.has(`${kind} ${name}`);
  });
  if (things.length === 0) return [];
  const { deferred } = await removeBelongings(belongings, things, await siteOf(runRoot, settings));
  return deferred.map((recorded) => `${described(runRoot, recorded).name}: ${recorded.deferred}`);
};

/** Everything that is not a result of a kept node or needed by a kept evaluation. Live processes and temporary folders never are. */
function unneeded(runRoot: string, { nodes, evaluations }: KeptIds): Recorded[] {
  return new Belongings(runRoot).list().filter(({ owner, thing, deferred }) => {
    // The record of a process that ended together with its worker is all that is left of it.
    if (thing.kind === "process") return processStart(thing.pid) === thing.pidStart || isMarked(thing.mark);
    if (deferred !== undefined || thing.kind === "folder") return true;
    if (owner.startsWith("n")) return !nodes.has(owner.slice(1));
    return !(owner.startsWith("e") && evaluations.has(owner.slice(1)));
  });
}

function isMarked(mark: string): boolean {
  return markedProcesses(mark).length > 0;
}

function described(runRoot: string, { thing }: Recorded): Leftover {
  return { kind: thing.kind, name: nameOf(runRoot, thing) };
}

function nameOf(runRoot: string, thing: Belonging): string {
  switch (thing.kind) {
    case "branch":
      return thing.branch;
    case "process":
      return `${thing.step} (pid ${thing.pid})`;
    case "worktree":
    case "folder":
      return relative(runRoot, thing.path);
  }
}

/** Everything a run has made outside its own folder: for `clean`. */
export function everythingOwned(runRoot: string): readonly Leftover[] {
  return new Belongings(runRoot).list().map((recorded) => described(runRoot, recorded));
}
