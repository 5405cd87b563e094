import { basename, dirname } from "node:path";
import { shellWord } from "@coppice/engine/child-process";
import { DEFAULT_RUNS } from "@coppice/engine/records";

/** What to type to continue a run. */
export function resumeCommand(directory: string, command = "resume"): string {
  return `${commandName(process.env)} ${command} ${basename(directory)}${placeOption(directory)}`;
}

/** The option that leads to a run's directory; nothing when it is where runs usually are. */
function placeOption(directory: string): string {
  const runs = dirname(directory);
  return runs === DEFAULT_RUNS ? "" : ` --run-dir ${shellWord(runs)}`;
}

/** How the command was called: through npm (from a clone), or as itself. */
export function commandName(environment: NodeJS.ProcessEnv): string {
  return environment.npm_command === undefined ? "coppice" : "npx coppice";
}
