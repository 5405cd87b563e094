import { createInterface } from "node:readline/promises";
import { UsageError } from "@coppice/engine/usage-error";
import {
  applyChanges,
  changesToInstall,
  changesToUninstall,
  describeChanges,
  InstallProblem,
  type InstallScope,
  isOwnCommand,
  placesOf,
  type SettingsChanges,
} from "@coppice/hooks";
import { fastestProgram } from "./build-bundle.ts";
import { projectDirectory } from "./project.ts";

/** Options of `coppice hooks install` and `uninstall`. */
export interface InstallOptions {
  readonly project?: string;
  readonly scope: string;
  readonly command?: string;
  readonly rules?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `coppice hooks install`: shows the changes, then makes them. */
export async function install(options: InstallOptions): Promise<number> {
  const places = placesOf(projectDirectory(options.project), process.env);
  const scopes = readScopes(options.scope);
  const program = options.command ?? `"${process.execPath}" "${await fastestProgram()}"`;
  const commandFor = (event: string): string => `${program} hooks run ${event}`;
  if (!isOwnCommand(commandFor("Stop"))) {
    throw new UsageError(
      `--command ${program}: its last word must name coppice, or the entry could not be told from a hook`,
    );
  }
  return await change(() => changesToInstall(places, scopes, commandFor, options.rules === true), options);
}

/** `coppice hooks uninstall`: the settings as they would be without Coppice. */
export async function uninstall(options: InstallOptions): Promise<number> {
  const places = placesOf(projectDirectory(options.project), process.env);
  const scopes = readScopes(options.scope);
  return await change(() => changesToUninstall(places, scopes), options);
}

async function change(makePlan: () => SettingsChanges, options: InstallOptions): Promise<number> {
  try {
    const plan = makePlan();
    if (options.json) return changeAsData(plan, options.yes === true);
    if (plan.changes.length === 0) {
      process.stdout.write(`nothing to change (scope ${options.scope})\n`);
      return 0;
    }
    process.stdout.write(describeChanges(plan));
    if (options.yes !== true && !(await agreed())) {
      process.stdout.write("nothing was changed; to make these changes, add --yes\n");
      return 0;
    }
    applyChanges(plan);
    process.stdout.write(`done: ${plan.changes.map(({ file }) => file).join(", ")}\n`);
    return 0;
  } catch (error) {
    if (error instanceof InstallProblem) throw new UsageError(error.message);
    throw error;
  }
}

/** For scripts: nobody is asked, so nothing is changed without `--yes`. */
function changeAsData({ changes, remarks }: SettingsChanges, apply: boolean): number {
  if (apply) applyChanges({ changes, remarks });
  const shown = changes.map(({ file, before, after }) => ({ file, before: before ?? null, after: after ?? null }));
  process.stdout.write(`${JSON.stringify({ changes: shown, remarks, applied: apply }, null, 2)}\n`);
  return 0;
}

async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("make these changes? [y/N] ");
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

function readScopes(text: string): readonly InstallScope[] {
  const known: readonly InstallScope[] = ["user", "project", "local"];
  const wanted = text.split(",").map((scope) => scope.trim());
  const unknown = wanted.find((scope) => !known.some((candidate) => candidate === scope));
  if (unknown !== undefined) throw new UsageError(`--scope ${unknown}: known are ${known.join(", ")}`);
  return known.filter((scope) => wanted.includes(scope));
}
