import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes what a kill or a power cut left of ours in a repository and git would stumble over: locks and unreadable refs among
 * the run's own branches, and records of worktrees that are incomplete and the run's own or nobody's. With the run's lock
 * held, nobody else writes there.
 */
export function mendRepository(gitDirectory: string, runRoot: string, treeRunId: string): void {
  const branches = join(gitDirectory, "refs", "heads", "tree", treeRunId);
  for (const name of namesIn(branches)) {
    const path = join(branches, name);
    if (name.endsWith(".lock") || !/^(?:[0-9a-f]{40,64}|ref: .+)\n?$/.test(text(path))) rmSync(path, { force: true });
  }
  const worktrees = join(gitDirectory, "worktrees");
  for (const name of namesIn(worktrees)) {
    const record = join(worktrees, name);
    const leadsTo = text(join(record, "gitdir")).trim();
    const complete = ["gitdir", "commondir", "HEAD"].every((file) => /^[^\0]+\n$/.test(text(join(record, file))));
    // One of the user's that is only not mounted just now is complete; an incomplete one that leads nowhere is nobody's.
    if (complete || (existsSync(leadsTo) && !isInside(runRoot, leadsTo))) continue;
    rmSync(record, { recursive: true, force: true });
  }
}

function isInside(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What is in a file; nothing in one that is not there. */
function text(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
