import { claudeCode } from "../agent/claude-code.ts";
import { subjectField } from "../agent/known-agents.ts";
import { matches, USUAL_PATIENCE_MS } from "../settings/matcher.ts";
import { configuredEvents } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { traceProject } from "../trace/trace-project.ts";
import type { InstallScope } from "./install-entries.ts";

/** The hooks of an event about which nothing is known, where that keeps others waiting. */
export interface UntracedHooks {
  readonly event: string;
  readonly names: readonly string[];
  /** What to trace the event about, so that each of them is set off. */
  readonly subjects: readonly (string | undefined)[];
}

/** Tools and sources such as matchers are written for. */
const SUBJECTS = [...claudeCode.usualSubjects, "mcp__server__tool", "permission_prompt"];

/** Hooks that would run one by one once Coppice is installed in the scopes, although the agent runs them at once. */
export async function untracedHooks(
  places: Places,
  scopes: readonly InstallScope[],
): Promise<readonly UntracedHooks[]> {
  const found: UntracedHooks[] = [];
  for (const event of configuredEvents(places, [])) {
    const { staging } = await stageEvent(event, {}, places);
    const unknown = staging.hooks.filter(
      ({ touches, scope, background }) =>
        touches === undefined && !background && scopes.some((installed) => installed === scope),
    );
    if (staging.hooks.length < 2 || unknown.length === 0) continue;
    const subjects = unknown.map(({ matcher }) =>
      subjectField(event) === undefined
        ? undefined
        : (SUBJECTS.find((subject) => matches(matcher, subject, { leftMs: USUAL_PATIENCE_MS })) ??
          matcher.split("|")[0]),
    );
    found.push({ event, names: unknown.map(({ name }) => name), subjects: [...new Set(subjects)] });
  }
  return found;
}

/** Traces them, which runs them, and declares what was seen. */
export async function traceUntraced(
  places: Places,
  untraced: readonly UntracedHooks[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  for (const { event, subjects } of untraced) {
    for (const subject of subjects) {
      if (signal.aborted) return;
      await traceProject({ event, places, env, input: undefined, subject, strace: true, write: true, signal });
    }
  }
}

/** What installing means for hooks about which nothing is known; nobody is made slower without a word. */
export function untracedRemarks(
  untraced: readonly UntracedHooks[],
  trace: boolean,
  assume: boolean,
): readonly string[] {
  const count = untraced.reduce((sum, { names }) => sum + names.length, 0);
  if (count === 0) return [];
  const hooks = count === 1 ? "1 hook" : `${count} hooks`;
  if (assume) {
    return [
      `ATTENTION: nothing is known of ${hooks}, and with --assume-independent they run at the same time, as the agent runs them`,
      "today: if two of them touch the same file, the result depends on luck, and Coppice promises nothing about them.",
    ];
  }
  if (trace) return [`${hooks} will be traced first: they really run, one by one, with made-up events.`];
  return [
    `${hooks} would run one by one; the agent runs them at the same time today. Nothing is known of what they read and write.`,
    "  --trace               runs each once, watches it, and lets those run together that may",
    "  --assume-independent  leaves them parallel as they are, with the races they may have",
  ];
}
