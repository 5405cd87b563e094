import { createInterface } from "node:readline/promises";
import {
  applyChanges,
  changesToInstall,
  changesToUninstall,
  describeChanges,
  placesFor,
  readScopes,
  type SettingsChanges,
} from "@coppice/hooks";
import { print, printJson } from "../print.ts";
import { fastestProgram } from "./build-bundle.ts";

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
  const places = placesFor(options.project, process.env);
  const scopes = readScopes(options.scope);
  const program = options.command ?? `"${process.execPath}" "${await fastestProgram()}"`;
  return await change(changesToInstall(places, scopes, program, options.rules === true), options);
}

/** `coppice hooks uninstall`: the settings as they would be without Coppice. */
export async function uninstall(options: InstallOptions): Promise<number> {
  const places = placesFor(options.project, process.env);
  return await change(changesToUninstall(places, readScopes(options.scope)), options);
}

async function change(wanted: SettingsChanges, options: InstallOptions): Promise<number> {
  const { changes, remarks } = wanted;
  if (options.json) {
    // For scripts: nobody is asked, so nothing is changed without `--yes`.
    if (options.yes) applyChanges(wanted);
    const shown = changes.map(({ file, before, after }) => ({ file, before: before ?? null, after: after ?? null }));
    printJson({ changes: shown, remarks, applied: options.yes === true });
    return 0;
  }
  if (changes.length === 0) {
    print(`nothing to change (scope ${options.scope})\n`);
    return 0;
  }
  print(describeChanges(wanted));
  if (options.yes !== true && !(await agreed())) {
    print("nothing was changed; to make these changes, add --yes\n");
    return 0;
  }
  applyChanges(wanted);
  print(`done: ${changes.map(({ file }) => file).join(", ")}\n`);
  return 0;
}

async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("make these changes? [y/N] ");
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
