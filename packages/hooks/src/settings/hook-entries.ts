import type { Hook, Problem } from "./hook.ts";
import { matcherProblem } from "./matcher.ts";
import type { SettingsFile } from "./scopes.ts";

type Fields = Readonly<Record<string, unknown>>;

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
    problems.push({ file: from.file, path, line: undefined, severity, message });
  };
  const finish = (): EventEntries => ({ hooks, problems, own });

  if (!isFields(root)) {
    problem("", 'the file must hold an object, as {"hooks": {…}}');
    return finish();
  }
  if (root.hooks === undefined) return finish();
  if (!isFields(root.hooks)) {
    problem("hooks", 'must be an object with one list per event, as {"Stop": […]}');
    return finish();
  }
  const groups = root.hooks[event];
  if (groups === undefined || groups === null) return finish();
  if (!Array.isArray(groups)) {
    problem(`hooks.${event}`, 'must be a list of groups, as [{"matcher": "", "hooks": […]}]');
    return finish();
  }
  for (const [g, group] of groups.entries()) {
    const groupPath = `hooks.${event}[${g}]`;
    if (!isFields(group)) {
      problem(groupPath, 'must be an object, as {"matcher": "Bash", "hooks": […]}');
      continue;
    }
    const matcher = group.matcher ?? "";
    if (typeof matcher !== "string") {
      problem(`${groupPath}.matcher`, "must be a text; the group is skipped");
      continue;
    }
    const invalid = matcherProblem(matcher);
    if (invalid !== undefined) {
      problem(`${groupPath}.matcher`, `not a valid regular expression (${invalid}); the group is skipped`, "warning");
      continue;
    }
    const entries = group.hooks ?? [];
    if (!Array.isArray(entries)) {
      problem(`${groupPath}.hooks`, 'must be a list of hooks, as [{"type": "command", "command": "…"}]');
      continue;
    }
    for (const [h, entry] of entries.entries()) {
      const path = `${groupPath}.hooks[${h}]`;
      if (!isFields(entry)) {
        problem(path, 'must be an object, as {"type": "command", "command": "…"}');
        continue;
      }
      if (entry.type !== undefined && entry.type !== "command") {
        const known = ["prompt", "agent", "http", "mcp_tool"].includes(String(entry.type));
        const message = `hooks of type ${JSON.stringify(entry.type)} are left to the agent`;
        problem(
          `${path}.type`,
          known ? message : `unknown type ${JSON.stringify(entry.type)}; "command" is meant?`,
          known ? "warning" : "error",
        );
        continue;
      }
      if (typeof entry.command !== "string" || entry.command.trim() === "") {
        problem(path, 'needs a command, as {"type": "command", "command": "./check.sh"}');
        continue;
      }
      if (isOwnCommand(entry.command)) {
        own = true;
        continue;
      }
      const hook = readHook(entry, entry.command, { event, matcher, path, from, declared }, problem);
      if (hook !== undefined) hooks.push(hook);
    }
  }
  return finish();
}

interface Setting {
  readonly event: string;
  readonly matcher: string;
  readonly path: string;
  readonly from: SettingsFile;
  readonly declared: Declarations;
}

function readHook(
  entry: Fields,
  command: string,
  { event, matcher, path, from, declared }: Setting,
  problem: (path: string, message: string) => void,
): Hook | undefined {
  const script = Array.isArray(entry.args) ? entry.args.find((word) => /\.\w+$/.test(String(word))) : undefined;
  const given = typeof entry.name === "string" && entry.name !== "" ? entry.name : undefined;
  const name =
    given ?? (script === undefined ? nameOfCommand(command) : nameOfCommand(String(script).replaceAll(" ", "-")));
  const fields: Fields = { ...entry, ...(Object.hasOwn(declared, name) ? declared[name] : undefined) };
  const wrong = firstWrong(fields);
  if (wrong !== undefined) {
    // A wrong limit or declaration must not cost the hook itself: it runs, alone and with defaults.
    problem(`${path}.${wrong.field}`, `${wrong.message}; ${JSON.stringify(name)} runs as if it were absent`);
  }
  const texts = (field: string): readonly string[] | undefined =>
    isTexts(fields[field]) ? (fields[field] as readonly string[]) : undefined;
  const reads = texts("reads");
  const writes = texts("writes");
  const timeout = fields.timeout;
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

const RULES: readonly (readonly [string, (value: unknown) => boolean, string])[] = [
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

function firstWrong(fields: Fields): { field: string; message: string } | undefined {
  const rule = RULES.find(([field, right]) => fields[field] !== undefined && !right(fields[field]));
  return rule === undefined ? undefined : { field: rule[0], message: rule[2] };
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

/** Seconds a command hook may take when its entry does not say; as the agent itself counts. */
function defaultTimeoutMs(event: string): number {
  if (event === "UserPromptSubmit") return 30_000;
  if (event === "SessionEnd") return 1_500;
  return 600_000;
}
