import { basename, dirname } from "node:path";
import { DEFAULT_RUNS } from "@coppice/engine";

/** What to type to continue a run. */
export function resumeCommand(directory: string): string {
  const runs = dirname(directory);
  const place = runs === DEFAULT_RUNS ? "" : ` --run-dir ${quoted(runs)}`;
  return `${commandName(process.env)} resume ${basename(directory)}${place}`;
}

/** How the command was called: through npm (from a clone), or as itself. */
export function commandName(environment: NodeJS.ProcessEnv): string {
  return environment.npm_command === undefined ? "coppice" : "npx coppice";
}

/** As a shell wants it. */
function quoted(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
