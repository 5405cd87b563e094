import { ownMatchers } from "../install/move-hooks.ts";
import { needsOf } from "../install/needed-entries.ts";
import { fieldsOf } from "../json-fields.ts";
import type { Hook } from "../settings/hook.ts";
import { defaultOptions, type HookOptions } from "../settings/hook-options.ts";
import { matches, USUAL_PATIENCE_MS } from "../settings/matcher.ts";
import { type Places, settingsFiles } from "../settings/scopes.ts";
import { settingsText } from "../settings/settings-problem.ts";
import { error, type Finding } from "./finding.ts";

/** What an option can ask for without a hook of the user's. */
const HABITS = ["sequentialAgents", "suggestDigest", "reminder", "weeklyReport"] as const;

/** Options that could not work, because the agent never asks us about what they are for. */
export function checkHabits(places: Places, options: HookOptions): readonly Finding[] {
  const asked = settingsFiles(places).flatMap(({ file }) => ownMatchers(fieldsOf(settingsText(file)?.value) ?? {}));
  const isAsked = (event: string, subject: string) =>
    asked.some((own) => own.event === event && accepts(own.matcher, subject));
  return [...needsOf(options)].flatMap(([event, subjects]) => {
    const missing = subjects.filter((subject) => !isAsked(event, subject));
    if (missing.length === 0) return [];
    const about = missing.includes("*") ? "" : ` about ${missing.join(", ")}`;
    const needing = HABITS.filter((name) => {
      const needed = needsOf({ ...defaultOptions, [name]: options[name] }).get(event) ?? [];
      return needed.some((subject) => missing.includes(subject));
    });
    const install = `so ${needing.join(" and ")} cannot work; run "coppice hooks install"`;
    return [error(`options: no entry of Coppice is asked for ${event}${about}, ${install}`)];
  });
}

/** What is wrong with the place of a hook that suggests a digest. */
export function checkDigestHook({ event, matcher, command }: Hook): readonly string[] {
  if (!/\bhooks\s+suggest-digest\b/.test(command) || (event === "PreToolUse" && accepts(matcher, "Read"))) return [];
  return [
    'suggests a digest before a Read, and is never asked about one here; put it below PreToolUse with the matcher "Read"',
  ];
}

function accepts(matcher: string, subject: string): boolean {
  return subject === "*" ? matcher === "" || matcher === "*" : matches(matcher, subject, { leftMs: USUAL_PATIENCE_MS });
}
