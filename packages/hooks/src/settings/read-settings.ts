import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { JsonProblem, readJsonText } from "@coppice/engine/user-files";
import { fieldsOf } from "../json-fields.ts";
import { type DeclarationList, Declared, readDeclarations } from "./declarations.ts";
import type { Hook } from "./hook.ts";
import { type Entry, readEntries } from "./hook-entries.ts";
import { type NamedEntry, nameEntries } from "./hook-names.ts";
import { defaultOptions, type HookOptions, withOptions } from "./hook-options.ts";
import { readHook } from "./read-hook.ts";
import { backupOf, type Places, type SettingsFile, settingsFiles, storeOf } from "./scopes.ts";
import type { Problem } from "./settings-problem.ts";

/** Everything configured for one event, before matchers are applied. */
export interface EventSettings {
  readonly hooks: readonly Hook[];
  readonly options: HookOptions;
  readonly problems: readonly Problem[];
  /** Declarations of hooks that do not exist, and of several at once, whatever their event. */
  readonly unusedDeclarations: readonly Problem[];
  /** `install` was run: the list comes from the stores, the agent runs the rest itself. */
  readonly installed: boolean;
  /** Hooks that stand beside our own entry: added since, and run by the agent at the same time as the list. */
  readonly unmoved: readonly Entry[];
  /** At least one file exists and was understood. */
  readonly readable: boolean;
  /** Why the list must be run one by one: a store was lost and the backup of the settings stands in for it. */
  readonly serialBecause: string | undefined;
  /** The store whose list cannot be read and has no backup: nobody knows what the event's hooks were. */
  readonly lost: string | undefined;
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
  const declarations: DeclarationList[] = [];
  for (const { from, root } of roots) {
    if (!from.store) continue;
    options = withOptions(options, root, from.file, problems);
    declarations.push(readDeclarations(root, from.file, problems));
  }

  const listOf = (name: string) => chooseLists(name, places, roots, problems);
  const { chosen, installed, unmoved, serialBecause, lost } = listOf(event);
  problems.push(...chosen.flatMap((list) => list.problems));
  const named = nameEntries(chosen.flatMap(({ entries }) => entries));
  // Only who declares something has to know what else goes by that name.
  const declaring = declarations.some(({ byKey }) => Object.keys(byKey).length > 0);
  const others = declaring ? eventsIn(roots.map(({ root }) => root)).filter((name) => name !== event) : [];
  const everywhere = others.flatMap((name) => nameEntries(listOf(name).chosen.flatMap(({ entries }) => entries)));
  const declared = new Declared(declarations, [...named, ...everywhere]);
  problems.push(...declared.problems(event));
  const hooks = named.map((entry) => readHook(entry.name, entry, declared.of(entry), problems));
  const undeclared = declared.problems().filter(({ path }) => !problems.some((known) => known.path === path));
  return {
    hooks: hooks.map((hook) => ({ ...hook, after: namesMeant(hook.after, named) })),
    options,
    problems,
    unusedDeclarations: undeclared,
    installed,
    unmoved,
    readable: roots.length > 0,
    serialBecause,
    lost,
  };
}

interface FileRoot {
  readonly from: SettingsFile;
  readonly root: unknown;
}

/** The lists of an event that count: once our entry is installed, those of the stores. */
function chooseLists(event: string, places: Places, roots: readonly FileRoot[], problems: Problem[]) {
  const lists = roots.map(({ from, root }) => ({ from, ...readEntries(root, event, from) }));
  const installed = lists.some((list) => list.own);
  let serialBecause: string | undefined;
  let lost: string | undefined;
  const inStore = lists.flatMap((list) => {
    if (list.from.store) return [list];
    const store = storeOf(list.from, places);
    if (!list.own || store === undefined || lists.some(({ from }) => from.file === store)) return [];
    // Our entry is there but its list is not: a broken store must never mean that no hook runs (H-16).
    const file = backupOf(list.from.file);
    const root = readRoot(file, problems);
    if (root === undefined) {
      lost = store;
      return [];
    }
    serialBecause = `${store} cannot be used; the list in ${file} is used instead`;
    return [{ from: list.from, ...readEntries(root, event, { ...list.from, file }) }];
  });
  const unmoved = lists.flatMap(({ own, entries }) => (own ? entries : []));
  return { chosen: installed ? inStore : lists, installed, unmoved, serialBecause, lost };
}

/** The hooks that names in `after` mean: the one with the name, or all that look like it at first sight. */
function namesMeant(names: readonly string[], hooks: readonly NamedEntry[]): readonly string[] {
  return names.flatMap((wanted) => {
    if (hooks.some(({ name }) => name === wanted)) return [wanted];
    const alike = hooks.filter(({ plainName }) => plainName === wanted).map(({ name }) => name);
    return alike.length > 0 ? [...new Set(alike)] : [wanted];
  });
}

/** Every event that some settings file has a list for, in order of appearance; files that cannot be read are problems. */
export function configuredEvents(places: Places, problems: Problem[]): readonly string[] {
  const roots = settingsFiles(places).map(({ file }) => readRoot(file, problems));
  return eventsIn(roots);
}

function eventsIn(roots: readonly unknown[]): readonly string[] {
  return [...new Set(roots.flatMap((root) => Object.keys(fieldsOf(fieldsOf(root)?.hooks) ?? {})))];
}

function readIfThere(file: string, problems: Problem[]): string | undefined {
  // Most scopes have no file, and an error made only to be thrown away takes longer than this question.
  if (!existsSync(file)) {
    // A link that leads nowhere is no file that nobody has written: a guard may be lost with it.
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      const message = `a symbolic link to ${readlinkSync(file)}, which cannot be read`;
      problems.push({ file, path: "", severity: "error", message });
    }
    return undefined;
  }
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      const why = code === "EISDIR" ? "it is a folder" : code;
      problems.push({ file, path: "", severity: "error", message: `cannot be read: ${why}` });
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
