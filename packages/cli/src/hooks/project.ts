import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { describeProblem, type Problem } from "@coppice/hooks";

/** The project a command is about: the given directory, the agent's, or the current one. */
export function projectDirectory(given: string | undefined): string {
  const dir = resolve(given ?? process.env.CLAUDE_PROJECT_DIR ?? process.cwd());
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--project ${dir}: there is no such directory`);
  }
  return dir;
}

/** When nothing was found and a settings file cannot be read, that is what to say: its hooks are not missing. */
export function refuseIfNone(found: readonly unknown[], problems: readonly Problem[]): void {
  const error = problems.find(({ severity }) => severity === "error");
  if (found.length === 0 && error !== undefined) throw new UsageError(describeProblem(error));
}
