import { statSync } from "node:fs";
import { resolve } from "node:path";

/** The call itself is wrong: one line, exit code 2, nothing touched. */
export class UsageProblem extends Error {
  override readonly name = "UsageProblem";
}

/** The project a command is about: the given directory, the agent's, or the current one. */
export function projectDirectory(given: string | undefined): string {
  const dir = resolve(given ?? process.env.CLAUDE_PROJECT_DIR ?? process.cwd());
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageProblem(`--project ${dir}: there is no such directory`);
  }
  return dir;
}

/** Runs a command to its exit code; a {@link UsageProblem} becomes one line and 2. */
export async function toExitCode(command: string, run: () => number | Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageProblem)) throw error;
    process.stderr.write(`coppice hooks ${command}: ${error.message}\n`);
    return 2;
  }
}
