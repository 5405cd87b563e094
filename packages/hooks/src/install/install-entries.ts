import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { UsageError } from "@coppice/engine/usage-error";
import {
  editedText,
  type FileChange,
  JsonProblem,
  readIfThere,
  readJsonText,
  writtenLike,
} from "@coppice/engine/user-files";
import { claudeCode } from "../agent/claude-code.ts";
import { type Fields, fieldsOf } from "../json-fields.ts";
import { isOwnCommand } from "../settings/hook-entries.ts";
import { backupOf, type Places, scopeFiles } from "../settings/scopes.ts";
import { lineOf } from "../settings/settings-problem.ts";
import { makeStateDirectory, refuseLinks } from "../state-directory.ts";
import { askingFile } from "./ask-daemon.ts";
import {
  LAUNCHER,
  launcherCommand,
  launcherFiles,
  programText,
  startsLauncher,
  userLauncher,
  userLauncherFile,
} from "./launcher.ts";
import { hasMovable, moveBack, moveToStore, ownCommands, type Pair } from "./move-hooks.ts";
import { neededEntries } from "./needed-entries.ts";
import { withoutRules, withRules } from "./rules-section.ts";

export type InstallScope = "user" | "project" | "local";

/** What a backup is. */
const WITHOUT_US = "the settings as they are without Coppice";

const SCOPES: readonly InstallScope[] = ["user", "project", "local"];

/** The scopes a text names, with commas between them. */
export function readScopes(text: string): readonly InstallScope[] {
  const wanted = text.split(",").map((scope) => scope.trim());
  const unknown = wanted.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined) throw new UsageError(`--scope ${unknown || '""'}: the scopes are ${SCOPES.join(", ")}`);
  return SCOPES.filter((scope) => wanted.includes(scope));
}

/** How Coppice is put into the settings. */
export interface InstallRequest {
  readonly scopes: readonly InstallScope[];
  /** How agents start Coppice; absent: through the launcher where the settings are shared, directly where they are not. */
  readonly command?: string | undefined;
  /** This installation, for what only this machine reads. */
  readonly program: { readonly node: string; readonly file: string };
  readonly rules: boolean;
  readonly assumeIndependent: boolean;
}

/** What it takes to let our entry stand for the command hooks of the scopes; without a change when it already does. */
export function changesToInstall(places: Places, request: InstallRequest): readonly FileChange[] {
  if (places.agent !== claudeCode) {
    throw new UsageError(
      `install writes settings of ${claudeCode.name}; for ${places.agent.name} see docs/hooks-agents.md`,
    );
  }
  const { scopes, rules } = request;
  const changes: FileChange[] = [];
  const found = scopes
    .map((scope) => ({ scope, ...filesOf(places, scope) }))
    .map((each) => (request.assumeIndependent ? { ...each, pair: assumingIndependence(each.pair) } : each))
    .filter(
      ({ pair }) =>
        hasMovable(pair.settings) || ownCommands(pair.settings).size > 0 || neededEntries(pair.store).size > 0,
    );
  const launched = SCOPES.some((scope) => isLaunched(filesOf(places, scope).pair));
  const shared = request.command === undefined && (launched || found.some(({ scope }) => scope !== "local"));
  const program = request.command ?? programHere(request.program);
  const commandFor = shared ? launcherCommand : (event: string): string => `${program} hooks run ${event}`;
  if (!isOwnCommand(commandFor("Stop"))) {
    const reason = "its last word must name coppice, or the entry could not be told from a hook";
    throw new UsageError(`--command ${program || '""'}: ${reason}`);
  }
  for (const { settings, store, pair, texts } of found) {
    const owned = ownCommands(pair.settings).size > 0;
    const next = moveToStore(pair, commandFor);
    if (hasMovable(pair.settings) || (!owned && texts.settings !== undefined)) {
      // The file as it would be without us: as it is on the first time, put back together on later ones.
      const original = owned ? withoutUs(pair, texts.settings, readIfThere(backupOf(settings)), next) : texts.settings;
      changes.push({
        file: backupOf(settings),
        before: readIfThere(backupOf(settings)),
        after: original,
        says: WITHOUT_US,
      });
    }
    changes.push({ file: store, before: texts.store, after: changedText(texts.store, next.store, texts.settings) });
    changes.push({ file: settings, before: texts.settings, after: changedText(texts.settings, next.settings) });
  }
  if (shared) {
    const written = found.map(({ scope }) => scope);
    changes.push(...launcherChanges(places, written, request.program));
  }
  refuseTwice(places, scopes, found.length > 0 ? commandFor : undefined);
  if (rules) {
    // The project's rules are read by everyone who works in it: nobody needs them twice.
    const needed = scopes.includes("project") ? scopes.filter((scope) => scope !== "local") : scopes;
    for (const file of ruleFiles(places, needed)) {
      const before = readIfThere(file);
      changes.push({ file, before, after: withRules(before ?? "") });
    }
  }
  return changes.filter(({ before, after }) => before !== after);
}

/** Whether settings hold an entry that starts a launcher. */
function isLaunched({ settings }: Pair): boolean {
  return [...ownCommands(settings).values()].some(startsLauncher);
}

/** How this machine's own settings start Coppice: through what may ask the daemon first, where that is there. */
function programHere({ node, file }: InstallRequest["program"]): string {
  const asking = askingFile(file);
  const first = asking !== undefined && existsSync(asking) ? `sh "${asking}" ` : "";
  return `${first}"${node}" "${file}"`;
}

/** The launchers of the scopes, and where Coppice is on this machine. */
function launcherChanges(
  places: Places,
  scopes: readonly InstallScope[],
  { node, file }: InstallRequest["program"],
): readonly FileChange[] {
  const { launcher, program } = launcherFiles(places);
  const own = userLauncherFile(places);
  const forUser = scopes.includes("user") && own !== launcher;
  const users = forUser ? [{ file: own, before: readIfThere(own), after: userLauncher({ node, file }) }] : [];
  // Local settings start the user's launcher where there is one: a project gets no file that nobody needs.
  const inProject = scopes.includes("project") || own === launcher || !(forUser || existsSync(own));
  if (!inProject || scopes.length === 0) return users;
  // Files of our own are never written where a repository's links lead.
  const prepare = (): void => {
    makeStateDirectory(dirname(program));
    refuseLinks(launcher, program);
  };
  return [
    ...users,
    { file: launcher, before: readIfThere(launcher), after: LAUNCHER, prepare },
    { file: program, before: readIfThere(program), after: programText(node, file), prepare },
  ];
}

/** Agents run different texts as different hooks: an entry of another scope that starts us differently would run all twice. */
function refuseTwice(
  places: Places,
  scopes: readonly InstallScope[],
  commandFor: ((event: string) => string) | undefined,
): void {
  if (commandFor === undefined) return;
  for (const scope of SCOPES.filter((each) => !scopes.includes(each))) {
    const { settings, pair } = filesOf(places, scope);
    const [other] = [...ownCommands(pair.settings)].filter(([event, command]) => command !== commandFor(event));
    if (other === undefined) continue;
    const both = [...scopes, scope].join(",");
    throw new UsageError(
      `${settings} starts Coppice differently (${other[1]}), so agents would run all hooks twice; install --scope ${both}`,
    );
  }
}

function assumingIndependence(pair: Pair): Pair {
  const options = { ...fieldsOf(pair.store.options), assumeIndependent: true };
  return { ...pair, store: { ...pair.store, options } };
}

/** A store without what `install --assume-independent` wrote: the next `install` says again what it means. */
function assumingNothing({ options, ...store }: Fields): Fields {
  const { assumeIndependent: _, ...rest } = fieldsOf(options) ?? {};
  return Object.keys(rest).length === 0 ? store : { ...store, options: rest };
}

/** What it takes to have the settings as they would be without us; to the byte if nothing else changed since. */
export function changesToUninstall(places: Places, scopes: readonly InstallScope[]): readonly FileChange[] {
  const changes: FileChange[] = [];
  const launched = new Set<InstallScope>();
  for (const scope of SCOPES) {
    const { settings, store: storeFile, pair, texts } = filesOf(places, scope);
    const commands = ownCommands(pair.settings);
    if (!scopes.includes(scope) && isLaunched(pair)) launched.add(scope);
    if (!scopes.includes(scope) || commands.size === 0) continue;
    const store = assumingNothing(moveBack(pair).store);
    const backup = readIfThere(backupOf(settings));
    const rest = Object.keys(store).length === 0 ? undefined : changedText(texts.store, store);
    changes.push(
      { file: settings, before: texts.settings, after: withoutUs(pair, texts.settings, backup) },
      { file: storeFile, before: texts.store, after: rest },
      { file: backupOf(settings), before: backup, after: undefined, says: WITHOUT_US },
    );
  }
  const needed = launched.has("project") || launched.has("local");
  const launchers = needed || changes.length === 0 ? [] : Object.values(launcherFiles(places));
  // A project's local settings may have nothing else to start.
  if (scopes.includes("user") && (!needed || existsSync(launcherFiles(places).launcher)))
    launchers.push(userLauncherFile(places));
  for (const file of launchers) changes.push({ file, before: readIfThere(file), after: undefined });
  for (const file of ruleFiles(places, scopes)) {
    const before = readIfThere(file);
    if (before === undefined) continue;
    const after = withoutRules(before);
    changes.push({ file, before, after: after.trim() === "" && before !== after ? undefined : after });
  }
  return changes.filter(({ before, after }) => before !== after);
}

/**
 * The settings without us. If installing the backup would lead to exactly the text that is there, nobody has changed
 * anything since and the backup is the answer; otherwise the lists are put back into the text as it is now.
 */
function withoutUs(
  pair: Pair,
  text: string | undefined,
  backup: string | undefined,
  moved: Pair = pair,
): string | undefined {
  const back = moveBack(moved).settings;
  if (text === undefined || (backup === undefined && Object.keys(back).length === 0)) return undefined;
  if (backup === undefined) return changedText(text, back);
  const commands = ownCommands(pair.settings);
  const original = { settings: parseStore("the backup", backup), store: moveBack(pair).store };
  const again = moveToStore(original, (event) => commands.get(event) ?? "");
  const untouched = moved === pair && isDeepStrictEqual(again.store, pair.store);
  if (untouched && changedText(backup, again.settings) === text) return backup;
  const hooks = Object.entries(fieldsOf(back.hooks) ?? {}).map(([event, groups]) => {
    const asBefore = [again, moved].map((each) => [eventIn(each.settings, event), eventIn(each.store, event)]);
    return [event, isDeepStrictEqual(asBefore[0], asBefore[1]) ? eventIn(original.settings, event) : groups];
  });
  return changedText(
    text,
    hooks.length === 0 ? back : { ...back, hooks: Object.fromEntries(hooks) },
    undefined,
    backup,
  );
}

function eventIn(file: Fields, event: string): unknown {
  const hooks = fieldsOf(file.hooks) ?? {};
  return Object.hasOwn(hooks, event) ? hooks[event] : undefined;
}

/** The instruction files that belong to the scopes. */
function ruleFiles({ home, projectDir }: Places, scopes: readonly InstallScope[]): readonly string[] {
  const inside = join(projectDir, ".claude", "CLAUDE.md");
  const top = join(projectDir, "CLAUDE.md");
  const files: Readonly<Record<InstallScope, string>> = {
    user: join(home, ".claude", "CLAUDE.md"),
    project: existsSync(inside) && !existsSync(top) ? inside : top,
    local: join(projectDir, "CLAUDE.local.md"),
  };
  return SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => files[scope]);
}

interface ScopeTexts {
  readonly settings: string;
  readonly store: string;
  readonly pair: Pair;
  readonly texts: { readonly settings: string | undefined; readonly store: string | undefined };
}

function filesOf(places: Places, scope: InstallScope): ScopeTexts {
  const { settings, store } = scopeFiles(places, scope);
  const texts = { settings: readIfThere(settings), store: readIfThere(store) };
  return {
    settings,
    store,
    texts,
    pair: { settings: parseStore(settings, texts.settings), store: parseStore(store, texts.store) },
  };
}

/** The object a settings file or store holds; throws {@link UsageError} with line and reason. */
export function parseStore(file: string, text: string | undefined): Fields {
  if (text === undefined) return {};
  try {
    const fields = fieldsOf(readJsonText(text).value);
    if (fields === undefined) throw new UsageError(`${file}:1: the file must hold an object`);
    // What cannot be read as lists would be written over.
    const wrong = ["hooks", "options", "declare"].find((key) => fieldsOf(fields[key] ?? {}) === undefined);
    if (wrong === "hooks" || (wrong !== undefined && file.includes("coppice-hooks")))
      throw new UsageError(`${file}:${lineOf(file, wrong)}: ${wrong} must be an object`);
    return fields;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new UsageError(`${file}:${error.line}: not JSON at column ${error.column}: ${error.message}`);
  }
}

/** The text with another value in it; a file that is not there yet is written like the one beside it. */
function changedText(text: string | undefined, value: Fields, like?: string, donor?: string): string | undefined {
  if (text !== undefined) return editedText(text, value, donor);
  return Object.keys(value).length === 0 ? undefined : writtenLike(like, value);
}
