import { fieldsOf } from "../json-fields.ts";
import { isEventName } from "./known-events.ts";
import type { Problem } from "./settings-problem.ts";

/** How events are run; everything here has a default. */
export interface HookOptions {
  readonly concurrency: number;
  /** After a block: the hooks behind it run all the same, as agents do it (`finish`), or are as if they were not there (`stop`). */
  readonly onBlock: "finish" | "stop";
  /** Serialise events of one session that write. */
  readonly lock: boolean;
  /** Stage undeclared hooks by what `trace` last saw of the very same files. */
  readonly observed: boolean;
  readonly sequentialAgents: "off" | "warn" | "block";
  /** A text added to the context of the given events. */
  readonly reminder: { readonly text: string; readonly events: readonly string[] } | undefined;
  /** Suggest a digest to an agent that is about to read much. */
  readonly suggestDigest: boolean;
  /** Take hooks about which nothing is known for ones that touch nothing, as agents do, which start all at once. */
  readonly assumeIndependent: boolean;
  readonly timing: boolean;
  /** Say once a week, when a session starts, what the hooks cost. */
  readonly weeklyReport: boolean;
}

export const defaultOptions: HookOptions = {
  concurrency: 50,
  onBlock: "finish",
  lock: true,
  observed: false,
  sequentialAgents: "off",
  reminder: undefined,
  suggestDigest: false,
  assumeIndependent: false,
  timing: true,
  weeklyReport: false,
};

/** What is added to the context when a reminder is asked for without a text of its own. */
const defaultReminder =
  "Independent pieces of work: start their agents together, in one message. Several opinions: `coppice ask --batch`. " +
  "Files of more than about 1000 lines: `coppice digest` instead of reading them whole.";

type Rule = readonly [isRight: (value: unknown) => boolean, message: string];

const FLAG: Rule = [(value) => typeof value === "boolean", "must be true or false"];

const RULES: Readonly<Record<string, Rule>> = {
  concurrency: [(value) => Number.isInteger(value) && Number(value) > 0, "must be a whole number above 0"],
  onBlock: [(value) => value === "finish" || value === "stop", 'must be "finish" or "stop"'],
  lock: FLAG,
  observed: FLAG,
  sequentialAgents: [(value) => ["off", "warn", "block"].includes(String(value)), 'must be "off", "warn" or "block"'],
  reminder: [isReminder, 'must be true, a text, or {"text": "…", "events": ["SessionStart"]}'],
  suggestDigest: FLAG,
  assumeIndependent: FLAG,
  timing: FLAG,
  weeklyReport: FLAG,
} satisfies Readonly<Record<keyof HookOptions, Rule>>;

/** Lays one file's `options` over the ones read so far; a wrong value is a problem and changes nothing. */
export function withOptions(base: HookOptions, root: unknown, file: string, problems: Problem[]): HookOptions {
  const given = fieldsOf(root)?.options;
  if (given === undefined) return base;
  const fields = fieldsOf(given);
  if (fields === undefined) {
    problems.push({ file, path: "options", severity: "error", message: 'must be an object, as {"concurrency": 20}' });
    return base;
  }
  const right: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const unknown: Rule = [() => false, `unknown option; the options are ${Object.keys(RULES).join(", ")}`];
    const [isRight, message] = Object.hasOwn(RULES, name) ? RULES[name] : unknown;
    if (isRight(value)) right[name] = name === "reminder" ? readReminder(value) : value;
    else problems.push({ file, path: `options.${name}`, severity: "error", message });
  }
  return { ...base, ...right };
}

function isReminder(value: unknown): boolean {
  if (typeof value === "boolean" || typeof value === "string") return true;
  const fields = fieldsOf(value);
  if (fields === undefined) return false;
  const { text = "", events = [] } = fields;
  return typeof text === "string" && Array.isArray(events) && events.every((event) => isEventName(String(event)));
}

function readReminder(value: unknown): HookOptions["reminder"] {
  if (value === false) return undefined;
  const given = fieldsOf(value) ?? { text: value };
  return {
    text: typeof given.text === "string" ? given.text : defaultReminder,
    events: Array.isArray(given.events) ? given.events.map(String) : ["SessionStart"],
  };
}
