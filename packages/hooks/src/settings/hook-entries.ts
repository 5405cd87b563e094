import { type Fields, fieldsOf } from "../json-fields.ts";
import type { Hook } from "./hook.ts";
import { matcherProblem, matcherRemark } from "./matcher.ts";
import type { SettingsFile } from "./scopes.ts";
import type { Problem } from "./settings-problem.ts";

/** The hooks of one event in one settings file, still without unique names. */
export interface EventEntries {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
  /** The file holds our own entry for this event: the agent calls us and runs the file's other hooks itself. */
  readonly own: boolean;
}

/** What may be said of a hook in its entry or, by name, under `declare`. */
export type Declarations = Readonly<Record<string, Fields>>;

/** Reads one event's groups; an element that makes no sense becomes a problem and is left out. */
export function readEntries(root: unknown, event: string, from: SettingsFile, declared: Declarations): EventEntries {
  const hooks: Hook[] = [];
  const problems: Problem[] = [];
  let own = false;
  const problem = (path: string, message: string, severity: Problem["severity"] = "error"): void => {
    problems.push({ file: from.file, path, severity, message });
  };
  for (const { path: groupPath, matcher, entries } of readGroups(root, event, problem)) {
    for (const [h, given] of entries.entries()) {
      const path = `${groupPath}.hooks[${h}]`;
      const entry = fieldsOf(given);
      if (entry === undefined) {
        problem(path, 'must be an object, as {"type": "command", "command": "…"}');
      } else if (entry.type !== undefined && entry.type !== "command") {
        const type = JSON.stringify(entry.type);
        const known = ["prompt", "agent", "http", "mcp_tool"].includes(String(entry.type));
        if (known) problem(`${path}.type`, `hooks of type ${type} are left to the agent`, "warning");
        else problem(`${path}.type`, `unknown type ${type}; did you mean "command"?`);
      } else if (typeof entry.command !== "string" || entry.command.trim() === "") {
        problem(path, 'needs a command, as {"type": "command", "command": "./check.sh"}');
      } else if (isOwnCommand(entry.command)) own = true;
      else hooks.push(readHook(entry, entry.command, { event, matcher, path, from }, declared, problem));
    }
  }
  return { hooks, problems, own };
}

type Report = (path: string, message: string, severity?: Problem["severity"]) => void;

interface Group {
  readonly path: string;
  readonly matcher: string;
  readonly entries: readonly unknown[];
}

/** The event's groups, without those that make no sense. */
function readGroups(root: unknown, event: string, problem: Report): readonly Group[] {
  const wrong = (path: string, message: string, severity?: Problem["severity"]): readonly Group[] => {
    problem(path, message, severity);
    return [];
  };
  const file = fieldsOf(root);
  if (file === undefined) return wrong("", 'the file must hold an object, as {"hooks": {…}}');
  const lists = fieldsOf(file.hooks ?? {});
  if (lists === undefined) return wrong("hooks", 'must be an object with one list per event, as {"Stop": […]}');
  const groups = lists[event] ?? [];
  if (!Array.isArray(groups)) {
    return wrong(`hooks.${event}`, 'must be a list of groups, as [{"matcher": "", "hooks": […]}]');
  }
  return groups.flatMap((given, index) => {
    const path = `hooks.${event}[${index}]`;
    const group = fieldsOf(given);
    if (group === undefined) return wrong(path, 'must be an object, as {"matcher": "Bash", "hooks": […]}');
    const matcher = group.matcher ?? "";
    if (typeof matcher !== "string") return wrong(`${path}.matcher`, "must be a text; the group is skipped");
    const invalid = matcherProblem(matcher);
    // Its hooks run: a guard must not be off because its pattern is bad.
    if (invalid !== undefined) {
      problem(`${path}.matcher`, `not a valid regular expression (${invalid}); the group runs as if it matched`);
    }
    const remark = matcherRemark(matcher);
    if (remark !== undefined) wrong(`${path}.matcher`, remark, "warning");
    const entries = group.hooks ?? [];
    if (Array.isArray(entries)) return [{ path, matcher, entries }];
    return wrong(`${path}.hooks`, 'must be a list of hooks, as [{"type": "command", "command": "…"}]');
  });
}

function readHook(
  entry: Fields,
  command: string,
  { event, matcher, path, from }: Pick<Hook, "event" | "matcher" | "path"> & { readonly from: SettingsFile },
  declared: Declarations,
  problem: Report,
): Hook {
  const script = Array.isArray(entry.args) ? entry.args.find((word) => /\.\w+$/.test(String(word))) : undefined;
  const given = typeof entry.name === "string" && entry.name !== "" ? entry.name : undefined;
  const name = given ?? nameOfCommand(script === undefined ? command : String(script).replaceAll(" ", "-"));
  const fields: Fields = { ...entry, ...(Object.hasOwn(declared, name) ? declared[name] : undefined) };
  const wrong = RULES.find(([field, right]) => fields[field] !== undefined && !right(fields[field]));
  // A wrong limit or declaration must not cost the hook itself: it runs, alone and with defaults.
  if (wrong !== undefined) {
    problem(`${path}.${wrong[0]}`, `${wrong[2]}; ${JSON.stringify(name)} runs as if it were absent`);
  }
  const texts = (field: string): readonly string[] | undefined => {
    const value = fields[field];
    return isTexts(value) ? value : undefined;
  };
  const [reads, writes, timeout] = [texts("reads"), texts("writes"), fields.timeout];
  return {
    name,
    event,
    matcher,
    command,
    args: texts("args"),
    module: typeof fields.module === "string" ? fields.module : undefined,
    timeoutMs: typeof timeout === "number" && timeout > 0 ? timeout * 1000 : defaultTimeoutMs(event),
    touches: reads === undefined && writes === undefined ? undefined : { reads: reads ?? [], writes: writes ?? [] },
    after: texts("after") ?? [],
    chain: fields.chain === true,
    background: fields.background === true || fields.async === true,
    onFailure: fields.onFailure === "block" ? "block" : "pass",
    scope: from.scope,
    file: from.file,
    path,
    pluginRoot: from.pluginRoot,
  };
}

const RULES: readonly (readonly [field: string, isRight: (value: unknown) => boolean, message: string])[] = [
  ["timeout", (value) => typeof value === "number" && value > 0, "must be a number of seconds above 0"],
  ["args", isTexts, "must be a list of texts"],
  ["reads", isTexts, 'must be a list of resources, as ["notes/*.md", "git:index"]'],
  ["writes", isTexts, 'must be a list of resources, as ["notes/*.md", "git:index"]'],
  ["after", isTexts, "must be a list of hook names"],
  ["module", (value) => typeof value === "string", "must be the path of a JavaScript or TypeScript file"],
  ["chain", (value) => typeof value === "boolean", "must be true or false"],
  ["background", (value) => typeof value === "boolean", "must be true or false"],
  ["onFailure", (value) => value === "pass" || value === "block", 'must be "pass" or "block"'],
];

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** A short name for a command: its script's file name without ending, else its first word. */
function nameOfCommand(command: string): string {
  const words = command.split(/[\s"'=;|&()<>]+/).filter((word) => word !== "" && !/^\$?\{?\w*\}?$/.test(word));
  const script = words.find((word) => /\/[^/]+$|\.(?:sh|bash|py|js|mjs|cjs|ts|mts|rb|pl)$/.test(word));
  const base = (script ?? command.trim().split(/\s+/)[0] ?? "").replace(/^.*\//, "").replace(/["'{}$]/g, "");
  return base.replace(/\.\w+$/, "") || "hook";
}

/** Whether a command is the entry `install` writes, in whatever way the program is reached. */
export function isOwnCommand(command: string): boolean {
  return /coppice[^\s"']*["']?\s+hooks\s+run\s+[A-Za-z]+\s*$/.test(command);
}

/** What a command hook may take when its entry does not say; as the agent itself counts. */
function defaultTimeoutMs(event: string): number {
  if (event === "UserPromptSubmit") return 30_000;
  return event === "SessionEnd" ? 1_500 : 600_000;
}
