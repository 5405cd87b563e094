import { dirname, join } from "node:path";
import { isFolder } from "@coppice/engine/files";
import { strangerOwning } from "@coppice/engine/stranger";
import { UsageError } from "@coppice/engine/usage-error";
import { agentIn, holdsBackFirst } from "../agent/known-agents.ts";
import type { ModuleCaller } from "../daemon/client.ts";
import { type Answer, ownAnswer } from "../merge/answer.ts";
import { mergeAnswers } from "../merge/merge-answers.ts";
import type { HookOptions } from "../settings/hook-options.ts";
import { backupOf, placesOf, scopeFiles } from "../settings/scopes.ts";
import { describeProblem } from "../settings/settings-problem.ts";
import { type StagedEvent, stageEvent } from "../staging/stage-event.ts";
import { oneByOne } from "../staging/stage-hooks.ts";
import { stateDirectory } from "../state-directory.ts";
import type { AnsweredEvent, EventCall } from "./answer-event.ts";
import type { HookSurroundings } from "./carry-process.ts";

/** Answers an event in this process, with the staging and the module hooks of a daemon where it has them. */
export async function answerHere(
  call: EventCall,
  staged?: StagedEvent | undefined,
  daemon?: ModuleCaller | undefined,
): Promise<AnsweredEvent> {
  const surroundings = surroundingsOf(call);
  return await answerStaged(call, surroundings, staged ?? (await stageCall(call, surroundings.projectDir)), daemon);
}

/** The event's staging: a kept one, or made here. */
async function stageCall({ event, input, env, daemon }: EventCall, projectDir: string): Promise<StagedEvent> {
  const places = placesOf(projectDir, env);
  if (typeof daemon !== "string") return await daemon.stagings.stage(event, input.fields, places, env);
  return await stageEvent(event, input.fields, places);
}

/** Runs the hooks of a staged event, module hooks in the daemon if it is there. */
export async function answerStaged(
  call: EventCall,
  surroundings: FoundSurroundings,
  { staging: staged, options, problems, readable, stale, lost }: StagedEvent,
  daemon: ModuleCaller | undefined,
): Promise<AnsweredEvent> {
  const staging = call.serial ? oneByOne(staged, "it was asked for") : staged;
  const stateDir = stateDirectory(surroundings.projectDir);
  const notices = problems.filter(({ severity }) => severity === "error").map(describeProblem);
  if (!readable && notices.length > 0) throw new UsageError(notices.join("\n"));
  notices.push(...surroundings.passedOver);
  if (lost !== undefined && !holdsBackFirst(call.event))
    notices.push(`${lost} has the list of hooks and cannot be read, so none of them ran`);
  if (staged.serialBecause !== undefined) notices.push(`hooks ran one by one: ${staged.serialBecause}`);
  const changed =
    stale.length > 0 ? (await import("./say-once.ts")).staleNotices(stateDir, call.event, stale) : undefined;
  notices.push(...(changed?.notices ?? []));
  // Nothing to run is the common case for tool events, and loading what starts processes takes a while.
  const out =
    staging.hooks.length === 0
      ? undefined
      : await (await import("./carry-out.ts")).carryOut({ call, surroundings, stateDir, staging, options, daemon });
  const own = await ownAnswers(call, options, surroundings.projectDir);
  const answers = [...(out?.run.answers ?? []), ...lostList(call.event, lost), ...own];
  const merged = mergeAnswers(call.event, answers, [...notices, ...(out?.notices ?? [])], call.exitCodes);
  if (merged.exitCode === 0) changed?.heard();
  return { merged, record: () => out?.record() };
}

/** When nobody knows what the hooks were, nothing that one of them may have forbidden goes on. */
function lostList(event: string, store: string | undefined): readonly Answer[] {
  if (store === undefined || !holdsBackFirst(event)) return [];
  const mend = 'mend that file, or put the hooks back into the settings and run "coppice hooks install" again';
  return [
    ownAnswer("coppice", {
      block: `${store} has the list of hooks and cannot be read, so nothing was checked; ${mend}`,
    }),
  ];
}

/** Where an event's hooks run, and what was not taken for the project on the way up. */
interface FoundSurroundings extends HookSurroundings {
  readonly passedOver: readonly string[];
}

/** Where an event's hooks run: the session's directory, with the project the agent names. */
export function surroundingsOf(call: Pick<EventCall, "input" | "env" | "cwd" | "project">): FoundSurroundings {
  const said = call.input.fields.cwd;
  const cwd = typeof said === "string" && isFolder(said) ? said : call.cwd;
  const passedOver: string[] = [];
  const variable = agentIn(call.env).projectVariable;
  const projectDir = call.project ?? call.env[variable] ?? nearestProject(cwd, call.env, passedOver);
  if (!isFolder(projectDir)) passedOver.push(`${variable}: there is no directory ${projectDir}; its hooks did not run`);
  return { cwd, env: call.env, projectDir, passedOver };
}

/** The directory itself or the nearest one above it with agent settings; the home directory's are the user's. */
function nearestProject(cwd: string, env: NodeJS.ProcessEnv, passedOver: string[]): string {
  for (
    let directory = cwd;
    directory !== env.HOME && directory !== dirname(directory);
    directory = dirname(directory)
  ) {
    if (!isFolder(join(directory, agentIn(env).folder))) continue;
    const stranger = directory === cwd ? undefined : strangersFile(directory, cwd, env);
    if (stranger === undefined) return directory;
    passedOver.push(
      `${stranger}, who could have put any hook there: its hooks are skipped (trust them with --project)`,
    );
  }
  return cwd;
}

/** What a stranger put among a project's settings, which are commands to be run. */
function strangersFile(projectDir: string, cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  const places = placesOf(projectDir, env);
  const files = (["project", "local"] as const).flatMap((scope) => Object.values(scopeFiles(places, scope)));
  for (const path of [join(projectDir, places.agent.folder), ...files.flatMap((file) => [file, backupOf(file)])]) {
    const owner = strangerOwning(path, cwd);
    if (owner !== undefined) return `${path} belongs to user ${owner}`;
  }
  return undefined;
}

/** What Coppice itself has to say about an event, after all hooks: on agents started singly (H-22), a reminder (H-23), the week. */
async function ownAnswers(
  { event, input, env }: EventCall,
  options: HookOptions,
  projectDir: string,
): Promise<readonly Answer[]> {
  const { sequentialAgents, reminder, suggestDigest, weeklyReport } = options;
  const answers: (Answer | undefined)[] = [];
  if (event === "PreToolUse" && sequentialAgents !== "off") {
    const { sequentialAgentAnswer } = await import("../habits/sequential-agents.ts");
    answers.push(sequentialAgentAnswer(input.fields, sequentialAgents));
  }
  if (event === "PreToolUse" && suggestDigest) {
    const { digestSuggestion } = await import("../habits/digest-suggestion.ts");
    const said = digestSuggestion(input.fields);
    const json = { hookSpecificOutput: { hookEventName: event, additionalContext: said } };
    if (said !== undefined) answers.push(ownAnswer("suggest digest", { json }));
  }
  if (reminder?.events.includes(event)) {
    const said = { hookSpecificOutput: { hookEventName: event, additionalContext: reminder.text } };
    answers.push(ownAnswer("coppice reminder", { json: said }));
  }
  if (event === "SessionStart" && weeklyReport) {
    const { weeklyLine } = await import("../timing/weekly-line.ts");
    const systemMessage = await weeklyLine(placesOf(projectDir, env), Date.now());
    if (systemMessage !== undefined) answers.push(ownAnswer("coppice weekly", { json: { systemMessage } }));
  }
  return answers.filter((answer) => answer !== undefined);
}
