import { isSlip } from "@coppice/engine/files";
import { type Fields, fieldsOf } from "../json-fields.ts";
import { matcherProblem, matcherRemark } from "./matcher.ts";
import type { SettingsFile } from "./scopes.ts";
import type { Problem } from "./settings-problem.ts";

/** A command hook as it stands in a settings file. */
export interface Entry {
  readonly event: string;
  readonly matcher: string;
  readonly command: string;
  readonly fields: Fields;
  /** Place in the file, as `hooks.PreToolUse[0].hooks[1]`. */
  readonly path: string;
  readonly from: SettingsFile;
}

/** The hooks of one event in one settings file. */
export interface EventEntries {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
  /** The file holds our own entry for this event: the agent calls us and runs the file's other hooks itself. */
  readonly own: boolean;
}

/** Reads one event's groups; an element that makes no sense becomes a problem and is left out. */
export function readEntries(root: unknown, event: string, from: SettingsFile): EventEntries {
  const found: Entry[] = [];
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
      else found.push({ event, matcher, command: entry.command, fields: entry, path, from });
    }
  }
  return { entries: found, problems, own };
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
    // Its hooks run: a guard must not be off because its pattern is bad.
    if (typeof (group.matcher ?? "") !== "string") {
      problem(`${path}.matcher`, 'must be a text, as "Edit|Write"; the group runs as if it matched');
    }
    const matcher = typeof group.matcher === "string" ? group.matcher : "";
    const invalid = matcherProblem(matcher);
    // Its hooks run: a guard must not be off because its pattern is bad.
    if (invalid !== undefined) {
      problem(`${path}.matcher`, `not a valid regular expression (${invalid}); the group runs as if it matched`);
    }
    const remark = matcherRemark(matcher);
    if (remark !== undefined) wrong(`${path}.matcher`, remark, "warning");
    if (group.hooks === undefined && group.command !== undefined) {
      return wrong(path, 'a hook, where a group of hooks is expected, as {"hooks": [{"type": "command", …}]}');
    }
    const misspelt = Object.keys(group).find((key) => key !== "matcher" && isSlip(key.toLowerCase(), "matcher", 2));
    if (misspelt !== undefined && group.matcher === undefined) {
      problem(`${path}.${misspelt}`, 'unknown; did you mean "matcher"? The group runs as if it matched');
    }
    const { hooks: entries } = group;
    if (Array.isArray(entries)) return [{ path, matcher, entries }];
    if (entries === undefined) {
      const empty = Object.keys(group).every((key) => key === "matcher");
      return empty ? [] : wrong(path, 'has no "hooks", as {"hooks": [{"type": "command", …}]}, so nothing of it runs');
    }
    return wrong(`${path}.hooks`, 'must be a list of hooks, as [{"type": "command", "command": "…"}]');
  });
}

/** Whether a command is the entry `install` writes, in whatever way the program is reached. */
export function isOwnCommand(command: string): boolean {
  return /coppice[^\s"']*["']?\s+hooks\s+run\s+[A-Za-z]+\s*$/.test(command);
}
