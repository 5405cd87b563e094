import { type Fields, fieldsOf } from "../json-fields.ts";
import { isOwnCommand, readEntries } from "../settings/hook-entries.ts";
import { unionMatcher } from "../settings/matcher.ts";
import type { SettingsFile } from "../settings/scopes.ts";
import { stageHooks } from "../staging/stage-hooks.ts";

/** A settings file and its store, as parsed values. */
export interface Pair {
  readonly settings: Fields;
  readonly store: Fields;
}

/** Time on top of what the hooks may take: another event's lock, our own start. */
const SPARE_SECONDS = 15;

/**
 * Moves every command hook into the store and leaves one entry of our own per event, which accepts whatever the moved
 * groups accept. Hooks of other types stay: only the agent can run them. Moving again moves what was added since.
 */
export function moveToStore({ settings, store }: Pair, commandFor: (event: string) => string): Pair {
  const kept: Record<string, unknown> = {};
  const stored: Record<string, unknown> = { ...fields(store.hooks) };
  for (const [event, groups] of Object.entries(fields(settings.hooks))) {
    if (!Array.isArray(groups)) {
      kept[event] = groups;
      continue;
    }
    const moved = pickHooks(groups, isMovable);
    const left = pickHooks(groups, (hook) => !isMovable(hook) && !isOwn(hook));
    const all = [...list(stored[event]), ...moved];
    if (all.length > 0) stored[event] = all;
    const own = all.length === 0 ? [] : [ownGroup(event, all, commandFor(event))];
    if (own.length + left.length > 0) kept[event] = [...own, ...left];
  }
  for (const [event, groups] of Object.entries(stored)) {
    if (kept[event] === undefined && list(groups).length > 0)
      kept[event] = [ownGroup(event, list(groups), commandFor(event))];
  }
  return {
    settings: Object.keys(kept).length === 0 ? settings : { ...settings, hooks: kept },
    store: Object.keys(stored).length === 0 ? store : { ...store, hooks: stored },
  };
}

/** Puts the store's lists back in place of our own entries; what else the store says is kept. */
export function moveBack({ settings, store }: Pair): Pair {
  const { hooks: moved, ...rest } = store;
  const hooks: Record<string, unknown> = {};
  const given = fields(settings.hooks);
  for (const event of new Set([...Object.keys(given), ...Object.keys(fields(moved))])) {
    const groups = given[event];
    if (groups !== undefined && !Array.isArray(groups)) {
      hooks[event] = groups;
      continue;
    }
    const all = [...list(fields(moved)[event]), ...pickHooks(list(groups), (hook) => !isOwn(hook))];
    if (all.length > 0) hooks[event] = all;
  }
  const { hooks: _, ...others } = settings;
  return { settings: Object.keys(hooks).length === 0 ? others : { ...settings, hooks }, store: rest };
}

/** Our own commands in the settings, by event. */
export function ownCommands(settings: Fields): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  for (const [event, groups] of Object.entries(fields(settings.hooks))) {
    const [group] = pickHooks(list(groups), isOwn);
    if (group !== undefined) commands.set(event, String(list(group.hooks)[0].command));
  }
  return commands;
}

/** Whether some hook of the settings could be moved. */
export function hasMovable(settings: Fields): boolean {
  return Object.values(fields(settings.hooks)).some((groups) => pickHooks(list(groups), isMovable).length > 0);
}

function ownGroup(event: string, groups: readonly Fields[], command: string): Fields {
  const matcher = unionMatcher(groups.map((group) => (typeof group.matcher === "string" ? group.matcher : "")));
  const from: SettingsFile = { scope: "project", file: "", store: true, pluginRoot: undefined };
  const { hooks } = readEntries({ hooks: { [event]: groups } }, event, from, {});
  const { stages } = stageHooks(hooks, { projectDir: "/", home: "/" });
  const longest = stages.map((stage) => Math.max(...stage.map((index) => hooks[index].timeoutMs)));
  const timeout = Math.ceil(longest.reduce((sum, ms) => sum + ms, 0) / 1000) + SPARE_SECONDS;
  return { ...(matcher === "*" ? {} : { matcher }), hooks: [{ type: "command", command, timeout }] };
}

/** The groups reduced to the hooks that are wanted; groups without any are dropped. */
function pickHooks(groups: readonly unknown[], wanted: (hook: Fields) => boolean): Fields[] {
  return groups.flatMap((group) => {
    const hooks = list(fields(group).hooks).filter((hook) => wanted(fields(hook)));
    return hooks.length === 0 ? [] : [{ ...fields(group), hooks }];
  });
}

function isOwn(hook: Fields): boolean {
  return typeof hook.command === "string" && isOwnCommand(hook.command);
}

function isMovable(hook: Fields): boolean {
  return (hook.type === undefined || hook.type === "command") && typeof hook.command === "string" && !isOwn(hook);
}

function fields(value: unknown): Fields {
  return fieldsOf(value) ?? {};
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value : [];
}
