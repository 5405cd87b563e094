import { existsSync, readFileSync } from "node:fs";
import { defaultOptions, type Hook, type HookOptions, type Problem } from "./hook.ts";
import { type Declarations, readEntries } from "./hook-entries.ts";
import { withOptions } from "./hook-options.ts";
import { JsonProblem, readJsonText } from "./lenient-json.ts";
import { backupOf, type Places, settingsFiles, storeOf } from "./scopes.ts";

/** Everything configured for one event, before matchers are applied. */
export interface EventSettings {
  readonly hooks: readonly Hook[];
  readonly options: HookOptions;
  readonly problems: readonly Problem[];
  /** `install` was run: the list comes from the stores, the agent runs the rest itself. */
  readonly installed: boolean;
  /** At least one file exists and was understood. */
  readonly readable: boolean;
  /** Why the list must be run one by one: a store was lost and the backup of the settings stands in for it. */
  readonly serialBecause: string | undefined;
}

/** The settings files that are there, by name, and the backups that stand in for lost lists. */
export function readSettingsTexts(places: Places): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { file } of settingsFiles(places).flatMap((each) => [each, { file: backupOf(each.file) }])) {
    const text = readIfThere(file, []);
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

/** Reads an event's hooks from all scopes, in list order, with unique names; `known` saves reading the files again. */
export function readEventSettings(event: string, places: Places, known?: ReadonlyMap<string, string>): EventSettings {
  const problems: Problem[] = [];
  const roots: { from: ReturnType<typeof settingsFiles>[number]; root: unknown }[] = [];
  for (const from of settingsFiles(places)) {
    const text = known?.get(from.file) ?? readIfThere(from.file, problems);
    if (text === undefined) continue;
    const root = parse(text, from.file, problems);
    if (root !== undefined) roots.push({ from, root });
  }

  let options = defaultOptions;
  const declared: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const { from, root } of roots) {
    if (!from.store) continue;
    const laid = withOptions(options, root, from.file);
    options = laid.options;
    problems.push(...laid.problems);
    Object.assign(declared, readDeclarations(root, from.file, problems));
  }

  const lists = roots.map(({ from, root }) => ({ from, ...readEntries(root, event, from, declared) }));
  const installed = lists.some((list) => list.own);
  let serialBecause: string | undefined;
  const chosen = !installed
    ? lists
    : lists.flatMap((list) => {
        if (list.from.store) return [list];
        const store = storeOf(list.from, places);
        if (!list.own || store === undefined || lists.some(({ from }) => from.file === store)) return [];
        // Our entry is there but its list is not: a broken store must never mean that no hook runs (H-16).
        const file = backupOf(list.from.file);
        const text = readIfThere(file, problems);
        const root = text === undefined ? undefined : parse(text, file, problems);
        if (root === undefined) return [];
        serialBecause = `${store} cannot be used; the list of ${file} stands in for it`;
        return [{ from: list.from, ...readEntries(root, event, { ...list.from, file }, declared) }];
      });
  for (const list of chosen) problems.push(...list.problems);
  return {
    hooks: withUniqueNames(chosen.flatMap((list) => list.hooks)),
    options,
    problems,
    installed,
    readable: roots.length > 0,
    serialBecause,
  };
}

/** Every event that some settings file has a list for, in order of appearance; files that cannot be read are problems. */
export function configuredEvents(places: Places, problems: Problem[]): readonly string[] {
  const events = new Set<string>();
  for (const { file } of settingsFiles(places)) {
    const text = readIfThere(file, problems);
    const root = text === undefined ? undefined : parse(text, file, problems);
    const hooks = (root as { hooks?: unknown } | undefined)?.hooks;
    if (typeof hooks === "object" && hooks !== null) for (const event of Object.keys(hooks)) events.add(event);
  }
  return [...events];
}

/** Identical commands are the same hook: only the first of them runs (H-02). */
export function hookIdentity(hook: Hook): string {
  return JSON.stringify([hook.command, hook.args ?? null, hook.module ?? null, hook.pluginRoot ?? null]);
}

/** Gives different commands with one name a number, in list order; the same command keeps one name everywhere. */
function withUniqueNames(hooks: readonly Hook[]): readonly Hook[] {
  const nameOf = new Map<string, string>();
  const taken = new Set<string>();
  return hooks.map((hook) => {
    const identity = hookIdentity(hook);
    let name = nameOf.get(identity);
    if (name === undefined) {
      name = hook.name;
      for (let n = 2; taken.has(name); n++) name = `${hook.name}#${n}`;
      taken.add(name);
      nameOf.set(identity, name);
    }
    return name === hook.name ? hook : { ...hook, name };
  });
}

function readDeclarations(root: unknown, file: string, problems: Problem[]): Declarations {
  const given = (root as { declare?: unknown }).declare;
  if (given === undefined) return {};
  const right = typeof given === "object" && given !== null && !Array.isArray(given);
  const entries = right ? Object.entries(given) : [];
  const wrong = right ? entries.find(([, value]) => typeof value !== "object" || value === null)?.[0] : "";
  if (wrong !== undefined) {
    const path = wrong === "" ? "declare" : `declare.${wrong}`;
    const message = 'must be an object, as {"my-hook": {"reads": [], "writes": []}}';
    problems.push({ file, path, line: undefined, severity: "error", message });
  }
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "object" && value !== null));
}

function readIfThere(file: string, problems: Problem[]): string | undefined {
  // Most scopes have no file, and an error made only to be thrown away takes longer than this question.
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      problems.push({ file, path: "", line: undefined, severity: "error", message: `cannot be read (${code})` });
    }
    return undefined;
  }
}

/** The strict reading is tried first because it is the fast one; the lenient one knows lines and reasons. */
function parse(text: string, file: string, problems: Problem[]): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      const read = readJsonText(text);
      for (const { line, message } of read.notices)
        problems.push({ file, path: "", line, severity: "warning", message });
      return read.value;
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error;
      const message = `not JSON at column ${error.column}: ${error.message}`;
      problems.push({ file, path: "", line: error.line, severity: "error", message });
      return undefined;
    }
  }
}
