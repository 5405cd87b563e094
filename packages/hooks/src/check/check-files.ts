import { existsSync } from "node:fs";
import { isSlip } from "@coppice/engine/files";
import { launcherFiles, startsLauncher, userLauncherFile } from "../install/launcher.ts";
import { ownCommands } from "../install/move-hooks.ts";
import { fieldsOf } from "../json-fields.ts";
import { isEventName, isKnownEvent, similarEvent } from "../settings/known-events.ts";
import { type Places, settingsFiles } from "../settings/scopes.ts";
import { type Problem, settingsText } from "../settings/settings-problem.ts";
import { error, type Finding, problemFinding } from "./finding.ts";

/**
 * What is wrong with the settings files as such: a shape nobody would read hooks from, misspelt events, keys that occur
 * twice, and entries of ours that differ between scopes, so that agents would run both.
 */
export function checkFiles(places: Places): readonly Finding[] {
  const entries = new Map<string, Map<string, string>>();
  const findings = settingsFiles(places).flatMap(({ file, scope, store }) => {
    const text = settingsText(file);
    if (text === undefined) return [];
    const own = [...ownCommands(fieldsOf(text.value) ?? {})];
    for (const [event, command] of own) {
      entries.set(event, (entries.get(event) ?? new Map()).set(command, file));
    }
    const strays = own.filter(([event, command]) => eventAsked(command) !== event);
    const launcher = scope === "user" ? userLauncherFile(places) : launcherFiles(places).launcher;
    // What only this user reads may also start the user's own.
    const there = existsSync(launcher) || (scope === "local" && existsSync(userLauncherFile(places)));
    const unlaunched = own.some(([, command]) => startsLauncher(command)) && !there;
    const twice = text.notices.filter(({ message }) => message.includes("occurs twice"));
    return [
      ...twice.map(({ line, message }) => error(`${file}:${line}: ${message}`)),
      ...(unlaunched
        ? [
            error(
              `${launcher} is missing, so no hook of ${file} runs; "coppice hooks install" writes it${scope === "project" ? ", share it" : ""}`,
            ),
          ]
        : []),
      ...strays.map(([event, command]) => {
        const asks = `Coppice's entry asks for ${eventAsked(command)}, so no hook of ${event} runs`;
        const message = `${asks}; its command must end with "hooks run ${event}"`;
        return problemFinding({ file, path: `hooks.${event}`, severity: "error", message });
      }),
      ...checkShape(text.value, store).map(({ path, severity = "error", message }) =>
        problemFinding({ file, path, severity, message }),
      ),
    ];
  });
  for (const [event, commands] of entries) {
    const files = [...commands.values()].join(" and ");
    const text = `${event}: the entries in ${files} differ, so all hooks would run twice; install both scopes again`;
    if (commands.size > 1) findings.push(error(text));
  }
  return findings;
}

/** The event that an entry of ours names: its command's last word. */
function eventAsked(command: string): string | undefined {
  return command.trim().split(/\s+/).at(-1);
}

type ShapeProblem = Pick<Problem, "path" | "message"> & Partial<Pick<Problem, "severity">>;

const STORE_KEYS = ["hooks", "declare", "options"];

function checkShape(value: unknown, store: boolean): readonly ShapeProblem[] {
  const file = fieldsOf(value);
  if (file === undefined) return [{ path: "", message: 'the file must hold an object, as {"hooks": {…}}' }];
  const unknown = store ? Object.keys(file).filter((key) => !STORE_KEYS.includes(key)) : [];
  const hooks = fieldsOf(file.hooks ?? {});
  // A settings file has many other keys, and one of them may be spelled nearly like this one.
  const misspelt = store ? [] : Object.keys(file).filter((key) => isMisspeltList(key, file[key]));
  return [
    ...unknown.map((key) => ({ path: key, message: `unknown key; a store has ${STORE_KEYS.join(", ")}` })),
    ...misspelt.map((path) => ({ path, message: 'unknown key, so its hooks never run; did you mean "hooks"?' })),
    ...(hooks === undefined
      ? [{ path: "hooks", message: 'must be an object with one list per event, as {"Stop": […]}' }]
      : Object.keys(hooks).flatMap(checkEventName)),
  ];
}

function isMisspeltList(key: string, value: unknown): boolean {
  const events = Object.keys(fieldsOf(value) ?? {});
  return key !== "hooks" && isSlip(key.toLowerCase(), "hooks", 1) && events.some(isKnownEvent);
}

function checkEventName(event: string): readonly ShapeProblem[] {
  const path = `hooks.${event}`;
  const meant = similarEvent(event);
  if (meant !== undefined) return [{ path, message: `not an event, so its hooks never run; did you mean ${meant}?` }];
  if (!isEventName(event)) return [{ path, message: "not written like an event, as PreToolUse; its hooks never run" }];
  if (isKnownEvent(event)) return [];
  return [{ path, severity: "warning", message: "not an event we know; its hooks run if your agent has it" }];
}
