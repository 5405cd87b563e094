import { AGENT_TOOLS } from "../habits/sequential-agents.ts";
import { defaultOptions, type HookOptions, withOptions } from "../settings/hook-options.ts";

/** What our own habits need to be asked about: for each event the matchers an entry has to accept. */
export type Needs = ReadonlyMap<string, readonly string[]>;

/** Which entries the options of a store need, besides those of the hooks that were moved there. */
export function neededEntries(store: unknown): Needs {
  return needsOf(withOptions(defaultOptions, store, "", []));
}

export function needsOf({ sequentialAgents, suggestDigest, reminder, weeklyReport }: HookOptions): Needs {
  const tools = [...(sequentialAgents === "off" ? [] : AGENT_TOOLS), ...(suggestDigest ? ["Read"] : [])];
  const needs = new Map<string, string[]>();
  if (tools.length > 0) needs.set("PreToolUse", tools);
  if (weeklyReport) needs.set("SessionStart", ["*"]);
  for (const event of reminder?.events ?? []) needs.set(event, ["*"]);
  return needs;
}
