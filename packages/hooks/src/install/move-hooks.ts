import { claudeCode } from "../agent/claude-code.ts";
import { type Fields, fieldsOf } from "../json-fields.ts";
import { isOwnCommand, readEntries } from "../settings/hook-entries.ts";
import { isEventName } from "../settings/known-events.ts";
import { unionMatcher } from "../settings/matcher.ts";
import { readHook } from "../settings/read-hook.ts";
import type { SettingsFile } from "../settings/scopes.ts";
import { type Needs, neededEntries } from "./needed-entries.ts";

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
  // Maps: an event may be called as anything, `__proto__` too.
  const kept = new Map<string, unknown>();
  const needs = neededEntries(store);
  const stored = new Map<string, unknown>(Object.entries(fields(store.hooks)));
  for (const [event, groups] of Object.entries(fields(settings.hooks))) {
    // What `hooks run` would not take for an event stays the agent's.
    if (!Array.isArray(groups) || !isEventName(event)) {
      kept.set(event, groups);
      continue;
    }
    const moved = pickHooks(groups, isMovable);
    const left = without(groups, (hook) => isMovable(hook) || isOwn(hook));
    const all = [...list(stored.get(event)), ...moved];
    if (all.length > 0) stored.set(event, all);
    const own = all.length === 0 && !needs.has(event) ? [] : [ownGroup(event, all, commandFor(event), needs)];
    if (own.length + left.length > 0 || groups.length === 0) kept.set(event, [...own, ...left]);
  }
  for (const event of new Set([...stored.keys(), ...needs.keys()])) {
    const groups = list(stored.get(event));
    if (!kept.has(event) && isEventName(event) && (groups.length > 0 || needs.has(event)))
      kept.set(event, [ownGroup(event, groups, commandFor(event), needs)]);
  }
  return {
    settings: kept.size === 0 ? settings : { ...settings, hooks: Object.fromEntries(kept) },
    store: stored.size === 0 ? store : { ...store, hooks: Object.fromEntries(stored) },
  };
}

/** Puts the store's lists back in place of our own entries; what else the store says is kept. */
export function moveBack({ settings, store }: Pair): Pair {
  const { hooks: moved, ...rest } = store;
  const hooks = new Map<string, unknown>();
  const given = new Map(Object.entries(fields(settings.hooks)));
  const stored = new Map(Object.entries(fields(moved)));
  for (const event of new Set([...given.keys(), ...stored.keys()])) {
    const groups = given.get(event);
    if (groups !== undefined && !Array.isArray(groups)) {
      hooks.set(event, groups);
      continue;
    }
    const all = [...list(stored.get(event)), ...without(groups ?? [], isOwn)];
    if (all.length > 0 || groups?.length === 0) hooks.set(event, all);
  }
  const { hooks: _, ...others } = settings;
  return { settings: hooks.size === 0 ? others : { ...settings, hooks: Object.fromEntries(hooks) }, store: rest };
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

/** What our own entries accept. */
export function ownMatchers(settings: Fields): readonly { readonly event: string; readonly matcher: string }[] {
  return Object.entries(fields(settings.hooks)).flatMap(([event, groups]) =>
    pickHooks(list(groups), isOwn).map(({ matcher }) => ({
      event,
      matcher: typeof matcher === "string" ? matcher : "",
    })),
  );
}

/** Whether some hook of the settings could be moved. */
export function hasMovable(settings: Fields): boolean {
  return Object.values(fields(settings.hooks)).some((groups) => pickHooks(list(groups), isMovable).length > 0);
}

function ownGroup(event: string, groups: readonly Fields[], command: string, needs: Needs): Fields {
  const moved = groups.map((group) => (typeof group.matcher === "string" ? group.matcher : ""));
  const matcher = unionMatcher([...moved, ...(needs.get(event) ?? [])]);
  const from: SettingsFile = { agent: claudeCode, scope: "project", file: "", store: true, pluginRoot: undefined };
  const { entries } = readEntries({ hooks: { [event]: groups } }, event, from);
  const hooks = entries.map((entry, index) => readHook(String(index), entry, [], []));
  // As long as the list may take one by one: hooks that changed since they were traced run alone, whatever was declared.
  const timeout = Math.ceil(hooks.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0) / 1000) + SPARE_SECONDS;
  return { ...(matcher === "*" ? {} : { matcher }), hooks: [{ type: "command", command, timeout }] };
}

/** The groups reduced to the hooks that are wanted; groups without any are dropped. */
function pickHooks(groups: readonly unknown[], wanted: (hook: Fields) => boolean): Fields[] {
  return groups.flatMap((group) => {
    const hooks = list(fields(group).hooks).filter((hook) => wanted(fields(hook)));
    return hooks.length === 0 ? [] : [{ ...fields(group), hooks }];
  });
}

/** The groups without some of their hooks; those that had none of them stay as they are, whatever they are. */
function without(groups: readonly unknown[], unwanted: (hook: Fields) => boolean): readonly unknown[] {
  return groups.flatMap((group) => {
    const hooks = list(fields(group).hooks);
    const rest = hooks.filter((hook) => !unwanted(fields(hook)));
    if (rest.length === hooks.length) return [group];
    return rest.length === 0 ? [] : [{ ...fields(group), hooks: rest }];
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
