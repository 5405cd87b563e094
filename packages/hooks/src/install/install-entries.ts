import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { writeAtomically } from "@coppice/engine/files";
import { JsonProblem, readJsonText } from "../settings/lenient-json.ts";
import { backupOf, type Places, scopeFiles } from "../settings/scopes.ts";
import { lineDiff } from "./line-diff.ts";
import { hasMovable, moveBack, moveToStore, ownCommands, type Pair } from "./move-hooks.ts";
import { withoutRules, withRules } from "./rules-section.ts";

export type InstallScope = "user" | "project" | "local";

/** One file as it is and as it is going to be; undefined: not there. */
interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What installing or uninstalling is going to do. */
export interface SettingsChanges {
  readonly changes: readonly FileChange[];
  /** What people should know before they say yes. */
  readonly remarks: readonly string[];
}

/** A settings file cannot be rewritten; nothing was touched. */
export class InstallProblem extends Error {
  override readonly name = "InstallProblem";
}

/** What it takes to let our entry stand for the command hooks of the scopes; without a change when it already does. */
export function changesToInstall(
  places: Places,
  scopes: readonly InstallScope[],
  commandFor: (event: string) => string,
  rules: boolean,
): SettingsChanges {
  const changes: FileChange[] = [];
  const remarks: string[] = [];
  for (const scope of scopes) {
    const { settings, store } = scopeFiles(places, scope);
    const now = readPair(settings, store, remarks);
    if (!hasMovable(now.pair.settings) && ownCommands(now.pair.settings).size === 0) continue;
    const next = moveToStore(now.pair, commandFor);
    if (hasMovable(now.pair.settings)) {
      // The file as it would be without us: as it is on the first time, put back together on later ones.
      const original =
        ownCommands(now.pair.settings).size > 0
          ? format(moveBack(moveToStore(now.pair, commandFor)).settings, now.settings)
          : now.settings;
      changes.push({ file: backupOf(settings), before: readIfThere(backupOf(settings)), after: original });
    }
    changes.push({ file: store, before: now.store, after: formatIfChanged(next.store, now.pair.store, now.store) });
    changes.push({
      file: settings,
      before: now.settings,
      after: formatIfChanged(next.settings, now.pair.settings, now.settings),
    });
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
    const after =
      backup !== undefined && isInstalled(backup, now.pair, back.store) ? backup : format(back.settings, now.settings);
    const storeAfter = Object.keys(back.store).length === 0 ? undefined : format(back.store, now.store);
    changes.push({ file: settings, before: now.settings, after });
    changes.push({ file: store, before: now.store, after: storeAfter });
    changes.push({ file: backupOf(settings), before: backup, after: undefined });
  }
  for (const file of ruleFiles(places, scopes)) {
    const before = readIfThere(file);
    if (before === undefined) continue;
    const after = withoutRules(before);
    changes.push({ file, before, after: after.trim() === "" && before !== after ? undefined : after });
  }
  return { changes: changes.filter(({ before, after }) => before !== after), remarks };
}

/** The changes for people to read before they happen. */
export function describeChanges({ changes, remarks }: SettingsChanges): string {
  const lines = changes.flatMap(({ file, before, after }) => {
    const what = before === undefined ? "new file" : after === undefined ? "removed" : "changed";
    const backup = file.endsWith(backupOf(""));
    const body = backup ? ["  (the settings as they are without Coppice)"] : lineDiff(before ?? "", after ?? "");
    return [`${file}: ${what}`, ...body, ""];
  });
  return [...remarks, ...lines].map((line) => `${line}\n`).join("");
}

/** Makes the changes, each file in one step and the backup before what it backs up. */
export function applyChanges({ changes }: SettingsChanges): void {
  for (const { file, before, after } of changes) {
    if (readIfThere(file) !== before) throw new InstallProblem(`${file} was changed meanwhile; nothing more was done`);
    if (after === undefined) {
      rmSync(file);
      continue;
    }
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    writeAtomically(file, after, mode === undefined ? undefined : mode & 0o777);
  }
}

/** The instruction files that belong to the scopes. */
function ruleFiles(places: Places, scopes: readonly InstallScope[]): readonly string[] {
  const files: string[] = [];
  if (scopes.includes("user")) files.push(join(places.home, ".claude", "CLAUDE.md"));
  if (scopes.includes("project")) {
    const inside = join(places.projectDir, ".claude", "CLAUDE.md");
    const top = join(places.projectDir, "CLAUDE.md");
    files.push(existsSync(inside) && !existsSync(top) ? inside : top);
  }
  if (scopes.includes("local")) files.push(join(places.projectDir, "CLAUDE.local.md"));
  return files;
}

function readPair(
  settings: string,
  store: string,
  remarks: string[],
): { pair: Pair; settings: string | undefined; store: string | undefined } {
  const texts = { settings: readIfThere(settings), store: readIfThere(store) };
  const pair = { settings: parse(settings, texts.settings, remarks), store: parse(store, texts.store, remarks) };
  return { pair, ...texts };
}

function parse(file: string, text: string | undefined, remarks: string[]): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const { value, notices } = readJsonText(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new InstallProblem(`${file}:1: the file must hold an object`);
    }
    for (const { line, message } of notices) remarks.push(`${file}:${line}: ${message}; rewriting the file drops it`);
    return value as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new InstallProblem(`${file}:${error.line}: not JSON at column ${error.column}: ${error.message}`);
  }
}

function formatIfChanged(value: object, before: object, text: string | undefined): string | undefined {
  return JSON.stringify(value) === JSON.stringify(before) ? text : format(value, text);
}

/** Written with the indentation the file already has. */
function format(value: object, like: string | undefined): string {
  const indent = /^[{[]\r?\n([ \t]+)/.exec(like ?? "")?.[1] ?? 2;
  return `${JSON.stringify(value, null, indent)}\n`;
}

/** Whether installing the backup would give exactly what is there: then nobody changed anything since. */
function isInstalled(backup: string, now: Pair, store: Record<string, unknown>): boolean {
  try {
    const commands = ownCommands(now.settings);
    const original = { settings: readJsonText(backup).value as Record<string, unknown>, store };
    const again = moveToStore(original, (event) => commands.get(event) ?? "");
    return isDeepStrictEqual(again, now);
  } catch {
    return false;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new InstallProblem(`${file}: ${(error as Error).message}`);
  }
}
