import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DaemonClient } from "../daemon/client.ts";
import { connectToDaemon, daemonSeemsThere } from "../daemon/meeting-place.ts";
import type { ModuleHost } from "../daemon/module-host.ts";
import type { Answer } from "../merge/answer.ts";
import { type Merged, mergeAnswers } from "../merge/merge-answers.ts";
import type { HookOptions } from "../settings/hook.ts";
import { subjectField } from "../settings/matcher.ts";
import { readSettingsTexts } from "../settings/read-settings.ts";
import { placesOf } from "../settings/scopes.ts";
import { describeProblem } from "../settings/settings-problem.ts";
import { type StagedEvent, stageEvent } from "../staging/stage-event.ts";
import { serialStaging } from "../staging/stage-hooks.ts";
import type { StagingCache } from "../staging/staging-cache.ts";
import { stateDirectory } from "../state-directory.ts";
import type { HookSurroundings } from "./carry-process.ts";
import type { EventInput } from "./event-input.ts";

/** One event to be answered. */
export interface EventCall {
  readonly event: string;
  readonly input: EventInput;
  readonly env: NodeJS.ProcessEnv;
  /** Where the caller stands; used when the input does not say. */
  readonly cwd: string;
  readonly project: string | undefined;
  readonly concurrency: number | undefined;
  readonly serial: boolean;
  readonly signal: AbortSignal;
  /** Who keeps stagings and module hooks warm: the daemon if it is there, this process, or a host that is already warm. */
  readonly modules: "daemon" | "here" | ModuleHost;
  /** Plans kept from earlier events. */
  readonly stagings?: StagingCache;
  /** Whether the caller can tell a block by an exit code; over HTTP there is none. */
  readonly exitCodes: boolean;
}

/** The settings could not be read at all, so nobody knows what to run. */
export class SettingsUnreadable extends Error {
  override readonly name = "SettingsUnreadable";
}

/** Runs an event's hooks and returns the one answer; `record` writes the timing down, after the answer was given. */
export async function answerEvent(call: EventCall): Promise<{ merged: Merged; record: () => void }> {
  const surroundings = surroundingsOf(call);
  const { staged, daemon } = await stageCall(call, surroundings.projectDir);
  try {
    return await answerStaged(call, surroundings, staged, daemon);
  } finally {
    daemon?.close();
  }
}

/** The event's staging: a kept one, the daemon's, or made here; with the daemon if it gave one. */
async function stageCall(
  { event, input, env, modules, stagings }: EventCall,
  projectDir: string,
): Promise<{ staged: StagedEvent; daemon: DaemonClient | undefined }> {
  const places = placesOf(projectDir, env);
  if (stagings !== undefined)
    return { staged: await stagings.stage(event, input.fields, places, env), daemon: undefined };
  const texts = modules === "daemon" && daemonSeemsThere(env) ? readSettingsTexts(places) : undefined;
  // Talking to the daemon takes longer than finding out that there is nothing to run.
  if (texts !== undefined && mention(texts, event)) {
    const daemon = await connectToDaemon(env);
    const field = subjectField(event);
    const fields = field === undefined ? {} : { [field]: input.fields[field] };
    const staged = await daemon?.stage({ event, fields, projectDir, env });
    if (staged !== undefined) return { staged, daemon };
    // One that has no staging to give hangs or is of another kind: nothing more is left to it.
    daemon?.close();
  }
  return { staged: await stageEvent(event, input.fields, places, texts), daemon: undefined };
}

function mention(texts: ReadonlyMap<string, string>, event: string): boolean {
  for (const text of texts.values()) if (text.includes(`"${event}"`)) return true;
  return false;
}

async function answerStaged(
  call: EventCall,
  surroundings: HookSurroundings,
  { staging: staged, options, problems, readable }: StagedEvent,
  daemon: DaemonClient | undefined,
): Promise<{ merged: Merged; record: () => void }> {
  const staging = call.serial ? serialStaging(staged.hooks, [], "it was asked for") : staged;
  const stateDir = stateDirectory(surroundings.projectDir);
  const errors = problems.filter((problem) => problem.severity === "error");
  if (!readable && errors.length > 0) throw new SettingsUnreadable(errors.map(describeProblem).join("\n"));
  const notices = errors.map(describeProblem);
  if (staging.serialBecause !== undefined && !call.serial)
    notices.push(`hooks ran one by one: ${staging.serialBecause}`);

  // Nothing to run is the common case for tool events, and loading what starts processes takes a while.
  const out =
    staging.hooks.length === 0
      ? undefined
      : await (await import("./carry-out.ts")).carryOut({ call, surroundings, stateDir, staging, options, daemon });
  const own = await ownAnswers(call, options);
  const answers = [...(out?.run.answers ?? []), ...own];
  return {
    merged: mergeAnswers(call.event, answers, [...notices, ...(out?.notices ?? [])], call.exitCodes),
    record: () => out?.record(),
  };
}

/** Where an event's hooks run: the session's directory, with the project the agent names. */
export function surroundingsOf(call: Pick<EventCall, "input" | "env" | "cwd" | "project">): HookSurroundings {
  const said = call.input.fields.cwd;
  const cwd = typeof said === "string" && isDirectory(said) ? said : call.cwd;
  const projectDir = call.project ?? call.env.CLAUDE_PROJECT_DIR ?? nearestProject(cwd, call.env.HOME);
  return { cwd, env: call.env, projectDir };
}

/** The directory itself or the nearest one above it with agent settings; the home directory's are the user's. */
function nearestProject(cwd: string, home: string | undefined): string {
  for (let directory = cwd; directory !== home && directory !== dirname(directory); directory = dirname(directory)) {
    if (isDirectory(join(directory, ".claude"))) return directory;
  }
  return cwd;
}

/** What Coppice itself has to say about an event, after all hooks. Loaded only where it is asked for. */
async function ownAnswers({ event, input }: EventCall, options: HookOptions): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  if (event === "PreToolUse" && options.sequentialAgents !== "off") {
    const { sequentialAgentAnswer } = await import("../habits/sequential-agents.ts");
    const answer = sequentialAgentAnswer(input.fields, options.sequentialAgents);
    if (answer !== undefined) answers.push(answer);
  }
  if (options.reminder?.events.includes(event)) {
    const { reminderAnswer } = await import("./reminder.ts");
    answers.push(reminderAnswer(event, options.reminder));
  }
  return answers;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
