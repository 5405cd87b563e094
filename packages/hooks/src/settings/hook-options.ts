import type { HookOptions, Problem, Reminder } from "./hook.ts";

/** What is added to the context when a reminder is asked for without a text of its own. */
const defaultReminder =
  "Independent pieces of work: start their agents together, in one message. Several opinions: `coppice ask --batch`. " +
  "Files of more than about 1000 lines: `coppice digest` instead of reading them whole.";

const RULES: Readonly<Record<keyof HookOptions, readonly [(value: unknown) => boolean, string]>> = {
  concurrency: [(value) => Number.isInteger(value) && Number(value) > 0, "must be a whole number above 0"],
  onBlock: [(value) => value === "stop" || value === "finish", 'must be "stop" or "finish"'],
  running: [(value) => value === "drain" || value === "end", 'must be "drain" or "end"'],
  lock: [(value) => typeof value === "boolean", "must be true or false"],
  observed: [(value) => typeof value === "boolean", "must be true or false"],
  sequentialAgents: [(value) => ["off", "warn", "block"].includes(String(value)), 'must be "off", "warn" or "block"'],
  reminder: [
    (value) => typeof value === "boolean" || typeof value === "string" || (typeof value === "object" && value !== null),
    'must be true, a text, or {"text": "…", "events": ["SessionStart"]}',
  ],
  timing: [(value) => typeof value === "boolean", "must be true or false"],
};

/** Lays one file's `options` over the ones read so far; a wrong value is a problem and changes nothing. */
export function withOptions(
  base: HookOptions,
  root: unknown,
  file: string,
): { options: HookOptions; problems: readonly Problem[] } {
  const given = (root as { options?: unknown } | undefined)?.options;
  if (typeof given !== "object" || given === null) return { options: base, problems: [] };
  const problems: Problem[] = [];
  const right: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof HookOptions] : undefined;
    const message = rule === undefined ? `unknown option; known are ${Object.keys(RULES).join(", ")}` : rule[1];
    if (rule?.[0](value)) right[name] = name === "reminder" ? readReminder(value) : value;
    else problems.push({ file, path: `options.${name}`, line: undefined, severity: "error", message });
  }
  return { options: { ...base, ...right }, problems };
}

function readReminder(value: unknown): Reminder | undefined {
  if (value === false) return undefined;
  const given = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return {
    text: typeof value === "string" ? value : typeof given.text === "string" ? given.text : defaultReminder,
    events: Array.isArray(given.events) ? given.events.map(String) : ["SessionStart"],
  };
}
