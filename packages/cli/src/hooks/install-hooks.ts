import { UsageError } from "@coppice/engine/usage-error";
import { applyChanges, describeChanges, type FileChange } from "@coppice/engine/user-files";
import {
  changesToInstall,
  changesToUninstall,
  checkProject,
  placesFor,
  readScopes,
  traceUntraced,
  untracedHooks,
  untracedRemarks,
} from "@coppice/hooks";
import { print, printJson } from "../print.ts";
import { agreed } from "../session/agreed.ts";
import { endingSignals } from "../session/standard-streams.ts";
import { fastestProgram } from "./build-bundle.ts";

/** Options of `coppice hooks install` and `uninstall`. */
export interface InstallOptions {
  readonly project?: string;
  readonly scope: string;
  readonly command?: string;
  readonly rules?: boolean;
  readonly trace?: boolean;
  readonly assumeIndependent?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `coppice hooks install`: shows the changes, then makes them. */
export async function install(options: InstallOptions): Promise<number> {
  const places = placesFor(options.project, process.env);
  const scopes = readScopes(options.scope);
  const { trace = false, assumeIndependent = false } = options;
  if (trace && assumeIndependent)
    throw new UsageError("--trace finds out what --assume-independent assumes: choose one");
  const program = { node: process.execPath, file: await fastestProgram() };
  const changes = (): readonly FileChange[] =>
    changesToInstall(places, {
      scopes,
      command: options.command,
      program,
      rules: options.rules === true,
      assumeIndependent,
    });
  const wanted = changes();
  const untraced = await untracedHooks(places, scopes);
  const remarks = untracedRemarks(untraced, trace, assumeIndependent);
  const traceFirst = async (): Promise<readonly FileChange[]> => {
    const ender = new AbortController();
    for (const signal of endingSignals) process.once(signal, () => ender.abort("interrupted"));
    await traceUntraced(places, untraced, process.env, ender.signal);
    if (ender.signal.aborted) throw new UsageError("tracing was interrupted; nothing was installed");
    const left = (await untracedHooks(places, scopes)).flatMap(({ event, names }) =>
      names.map((name) => `${event}/${name}`),
    );
    if (left.length > 0 && !options.json) print(`still not known, so each runs alone: ${left.join(", ")}\n`);
    return changes();
  };
  const prepare = trace && untraced.length > 0 ? traceFirst : undefined;
  // Hooks are moved as they are, mistakes included; whoever moves them should know of those that keep one from working.
  const findErrors = async (): Promise<readonly string[]> => {
    const { findings } = await checkProject(places, process.env);
    return findings.filter(({ severity }) => severity === "error").map(({ text }) => text);
  };
  return await change(wanted, options, { remarks, prepare, findErrors });
}

/** `coppice hooks uninstall`: the settings as they would be without Coppice. */
export async function uninstall(options: InstallOptions): Promise<number> {
  const places = placesFor(options.project, process.env);
  return await change(changesToUninstall(places, readScopes(options.scope)), options);
}

/** What goes with changes that are shown and made. */
interface Beside {
  /** What people should know before they say yes. */
  readonly remarks?: readonly string[];
  /** Does what has to come first and returns what is left to change. */
  readonly prepare?: (() => Promise<readonly FileChange[]>) | undefined;
  readonly findErrors?: () => Promise<readonly string[]>;
}

/** Shows the changes and makes them. */
async function change(changes: readonly FileChange[], options: InstallOptions, beside: Beside = {}): Promise<number> {
  const { remarks = [], prepare, findErrors } = beside;
  if (options.json) {
    // For scripts: nobody is asked, so nothing is changed without `--yes`.
    if (options.yes) applyChanges((await prepare?.()) ?? changes);
    const shown = changes.map(({ file, before, after }) => ({ file, before: before ?? null, after: after ?? null }));
    const errors = await findErrors?.();
    printJson({ changes: shown, remarks, applied: options.yes === true, ...(errors === undefined ? {} : { errors }) });
    return 0;
  }
  if (changes.length === 0 && prepare === undefined) print(`nothing to change (scope ${options.scope})\n`);
  else {
    print(remarks.map((line) => `${line}\n`).join("") + describeChanges(changes));
    if (options.yes === true || (await agreed())) {
      const made = (await prepare?.()) ?? changes;
      applyChanges(made);
      print(`done: ${made.map(({ file }) => file).join(", ") || "nothing else had to change"}\n`);
    } else print("nothing was changed; to make these changes, add --yes\n");
  }
  const errors = (await findErrors?.()) ?? [];
  if (errors.length > 0)
    print(`"coppice hooks check" finds something to mend:\n${errors.map((text) => `  ${text}\n`).join("")}`);
  return 0;
}
