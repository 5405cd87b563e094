import { existsSync, readFileSync } from "node:fs";
import { fieldsOf } from "../json-fields.ts";
import { type Hook, hookIdentity } from "./hook.ts";
import { type Declarations, readEntries } from "./hook-entries.ts";
import { defaultOptions, type HookOptions, withOptions } from "./hook-options.ts";
import { JsonProblem, readJsonText } from "./lenient-json.ts";
import { backupOf, type Places, settingsFiles, storeOf } from "./scopes.ts";
import type { Problem } from "./settings-problem.ts";

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
  const files = settingsFiles(places).flatMap(({ file }) => [file, backupOf(file)]);
  const texts = files.map((file) => [file, readIfThere(file, [])] as const);
  return new Map(texts.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

/** Reads an event's hooks from all scopes, in list order, with unique names; `known` saves reading the files again. */
export function readEventSettings(event: string, places: Places, known?: ReadonlyMap<string, string>): EventSettings {
  const problems: Problem[] = [];
  const files = settingsFiles(places).map((from) => ({ from, root: readRoot(from.file, problems, known) }));
  const roots = files.filter(({ root }) => root !== undefined);

  let options = defaultOptions;
  let declared: Declarations = {};
  for (const { from, root } of roots) {
    if (!from.store) continue;
    options = withOptions(options, root, from.file, problems);
    declared = { ...declared, ...readDeclarations(root, from.file, problems) };
  }

  const lists = roots.map(({ from, root }) => ({ from, ...readEntries(root, event, from, declared) }));
  const installed = lists.some((list) => list.own);
  let serialBecause: string | undefined;
  const inStore = lists.flatMap((list) => {
    if (list.from.store) return [list];
    const store = storeOf(list.from, places);
    if (!list.own || store === undefined || lists.some(({ from }) => from.file === store)) return [];
    // Our entry is there but its list is not: a broken store must never mean that no hook runs (H-16).
    const file = backupOf(list.from.file);
    const root = readRoot(file, problems);
    if (root === undefined) return [];
    serialBecause = `${store} cannot be used; the list in ${file} is used instead`;
    return [{ from: list.from, ...readEntries(root, event, { ...list.from, file }, declared) }];
  });
  const chosen = installed ? inStore : lists;
  problems.push(...chosen.flatMap((list) => list.problems));
  const hooks = withUniqueNames(chosen.flatMap((list) => list.hooks));
  return { hooks, options, problems, installed, readable: roots.length > 0, serialBecause };
}

/** Every event that some settings file has a list for, in order of appearance; files that cannot be read are problems. */
export function configuredEvents(places: Places, problems: Problem[]): readonly string[] {
  const roots = settingsFiles(places).map(({ file }) => fieldsOf(readRoot(file, problems)));
  return [...new Set(roots.flatMap((root) => Object.keys(fieldsOf(root?.hooks) ?? {})))];
}

/** Adds a number to the name of each further command that shares it; the same command keeps one name everywhere. */
function withUniqueNames(hooks: readonly Hook[]): readonly Hook[] {
  const nameOf = new Map<string, string>();
  const taken = new Set<string>();
  return hooks.map((hook) => {
    const identity = hookIdentity(hook);
    let name = nameOf.get(identity) ?? hook.name;
    if (!nameOf.has(identity)) for (let n = 2; taken.has(name); n++) name = `${hook.name}#${n}`;
    taken.add(name);
    nameOf.set(identity, name);
    return name === hook.name ? hook : { ...hook, name };
  });
}

function readDeclarations(root: unknown, file: string, problems: Problem[]): Declarations {
  const given = fieldsOf(root)?.declare ?? {};
  const entries = Object.entries(fieldsOf(given) ?? {});
  const wrong = entries.find(([, value]) => typeof value !== "object" || value === null);
  if (fieldsOf(given) === undefined || wrong !== undefined) {
    const path = wrong === undefined ? "declare" : `declare.${wrong[0]}`;
    const message = 'must be an object, as {"my-hook": {"reads": [], "writes": []}}';
    problems.push({ file, path, severity: "error", message });
  }
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "object" && value !== null)) as Declarations;
}

function readIfThere(file: string, problems: Problem[]): string | undefined {
  // Most scopes have no file, and an error made only to be thrown away takes longer than this question.
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      problems.push({ file, path: "", severity: "error", message: `cannot be read (${code})` });
    }
    return undefined;
  }
}

/** What a file holds. The strict reading is tried first because it is fast; the lenient one knows lines and reasons. */
function readRoot(file: string, problems: Problem[], known?: ReadonlyMap<string, string>): unknown {
  const text = known?.get(file) ?? readIfThere(file, problems);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    try {
      const { notices, value } = readJsonText(text);
      for (const notice of notices) problems.push({ file, path: "", severity: "warning", ...notice });
      return value;
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error;
      const message = `not JSON at column ${error.column}: ${error.message}`;
      problems.push({ file, path: "", line: error.line, severity: "error", message });
      return undefined;
    }
  }
}
