import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { UsageError } from "@coppice/engine/usage-error";
import { type Fields, fieldsOf } from "../json-fields.ts";
import { isOwnCommand } from "../settings/hook-entries.ts";
import { JsonProblem, readJsonText } from "../settings/lenient-json.ts";
import { backupOf, type Places, scopeFiles } from "../settings/scopes.ts";
import { type FileChange, readIfThere, type SettingsChanges } from "./file-changes.ts";
import { hasMovable, moveBack, moveToStore, ownCommands, type Pair } from "./move-hooks.ts";
import { withoutRules, withRules } from "./rules-section.ts";

export type InstallScope = "user" | "project" | "local";

const SCOPES: readonly InstallScope[] = ["user", "project", "local"];

/** The scopes a text names, with commas between them. */
export function readScopes(text: string): readonly InstallScope[] {
  const wanted = text.split(",").map((scope) => scope.trim());
  const unknown = wanted.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined) throw new UsageError(`--scope ${unknown}: the scopes are ${SCOPES.join(", ")}`);
  return SCOPES.filter((scope) => wanted.includes(scope));
}

/** What it takes to let our entry stand for the command hooks of the scopes; without a change when it already does. */
export function changesToInstall(
  places: Places,
  scopes: readonly InstallScope[],
  program: string,
  rules: boolean,
): SettingsChanges {
  const commandFor = (event: string): string => `${program} hooks run ${event}`;
  if (!isOwnCommand(commandFor("Stop"))) {
    const reason = "its last word must name coppice, or the entry could not be told from a hook";
    throw new UsageError(`--command ${program}: ${reason}`);
  }
  const changes: FileChange[] = [];
  const remarks: string[] = [];
  for (const scope of scopes) {
    const { settings, store } = scopeFiles(places, scope);
    const now = readPair(settings, store, remarks);
    const owned = ownCommands(now.pair.settings).size > 0;
    const movable = hasMovable(now.pair.settings);
    if (!movable && !owned) continue;
    const next = moveToStore(now.pair, commandFor);
    if (movable) {
      // The file as it would be without us: as it is on the first time, put back together on later ones.
      const original = owned ? format(moveBack(next).settings, now.settings) : now.settings;
      changes.push({ file: backupOf(settings), before: readIfThere(backupOf(settings)), after: original });
    }
    for (const [part, file] of [["store", store] as const, ["settings", settings] as const]) {
      const same = JSON.stringify(next[part]) === JSON.stringify(now.pair[part]);
      changes.push({ file, before: now[part], after: same ? now[part] : format(next[part], now[part]) });
    }
  }
  if (rules) {
    // The project's rules are read by everyone who works in it: nobody needs them twice.
    const needed = scopes.includes("project") ? scopes.filter((scope) => scope !== "local") : scopes;
    for (const file of ruleFiles(places, needed)) {
      const before = readIfThere(file);
      changes.push({ file, before, after: withRules(before ?? "") });
    }
  }
  return { changes: changes.filter(({ before, after }) => before !== after), remarks };
}

/** What it takes to have the settings as they would be without us; to the byte if nothing else changed since. */
export function changesToUninstall(places: Places, scopes: readonly InstallScope[]): SettingsChanges {
  const changes: FileChange[] = [];
  const remarks: string[] = [];
  for (const scope of scopes) {
    const { settings, store } = scopeFiles(places, scope);
    const now = readPair(settings, store, remarks);
    if (ownCommands(now.pair.settings).size === 0) continue;
    const back = moveBack(now.pair);
    const backup = readIfThere(backupOf(settings));
    const untouched = backup !== undefined && isInstalled(backup, now.pair, back.store);
    const storeAfter = Object.keys(back.store).length === 0 ? undefined : format(back.store, now.store);
    changes.push(
      { file: settings, before: now.settings, after: untouched ? backup : format(back.settings, now.settings) },
      { file: store, before: now.store, after: storeAfter },
      { file: backupOf(settings), before: backup, after: undefined },
    );
  }
  for (const file of ruleFiles(places, scopes)) {
    const before = readIfThere(file);
    if (before === undefined) continue;
    const after = withoutRules(before);
    changes.push({ file, before, after: after.trim() === "" && before !== after ? undefined : after });
  }
  return { changes: changes.filter(({ before, after }) => before !== after), remarks };
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

interface PairOfFiles {
  readonly pair: Pair;
  readonly settings: string | undefined;
  readonly store: string | undefined;
}

function readPair(settings: string, store: string, remarks: string[]): PairOfFiles {
  const texts = { settings: readIfThere(settings), store: readIfThere(store) };
  const pair = { settings: parse(settings, texts.settings, remarks), store: parse(store, texts.store, remarks) };
  return { pair, ...texts };
}

function parse(file: string, text: string | undefined, remarks: string[]): Fields {
  if (text === undefined) return {};
  try {
    const { value, notices } = readJsonText(text);
    const fields = fieldsOf(value);
    if (fields === undefined) throw new UsageError(`${file}:1: the file must hold an object`);
    for (const { line, message } of notices) remarks.push(`${file}:${line}: ${message}; rewriting the file drops it`);
    return fields;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new UsageError(`${file}:${error.line}: not JSON at column ${error.column}: ${error.message}`);
  }
}

/** Written with the indentation the file already has. */
function format(value: object, like: string | undefined): string {
  const indent = /^[{[]\r?\n([ \t]+)/.exec(like ?? "")?.[1] ?? 2;
  return `${JSON.stringify(value, null, indent)}\n`;
}

/** Whether installing the backup would lead to exactly what is there: then nobody changed anything since. */
function isInstalled(backup: string, now: Pair, store: Fields): boolean {
  const commands = ownCommands(now.settings);
  try {
    const original = { settings: fieldsOf(readJsonText(backup).value) ?? {}, store };
    const again = moveToStore(original, (event) => commands.get(event) ?? "");
    return isDeepStrictEqual(again, now);
  } catch {
    return false;
  }
}
