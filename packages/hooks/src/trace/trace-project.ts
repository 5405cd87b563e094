import { existsSync } from "node:fs";
import { counted } from "@coppice/engine/figures";
import { UsageError } from "@coppice/engine/usage-error";
import { applyChanges, editedText, readIfThere, writtenLike } from "@coppice/engine/user-files";
import { subjectField } from "../agent/known-agents.ts";
import { parseStore } from "../install/install-entries.ts";
import { type Fields, fieldsOf } from "../json-fields.ts";
import { surroundingsOf } from "../run/answer-here.ts";
import { readEventInput } from "../run/event-input.ts";
import { declarationKey } from "../settings/declarations.ts";
import type { Touches } from "../settings/hook.ts";
import { configuredEvents } from "../settings/read-settings.ts";
import { type Places, scopeFiles } from "../settings/scopes.ts";
import { refuseUnreadable } from "../settings/settings-problem.ts";
import { refuseUnconfigured } from "../staging/describe-staging.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { stateDirectory } from "../state-directory.ts";
import { addObservations, isAsTraced } from "./observations.ts";
import { snapshotBlindness } from "./snapshot.ts";
import { straceWorks } from "./strace.ts";
import { NOT_FOUND, type TracedHook, type TraceMethod, traceEvent } from "./trace-event.ts";
import { contentOf } from "./traced-content.ts";

/** What to watch, and how. */
export interface TraceRequest {
  readonly event: string;
  readonly places: Places;
  readonly env: NodeJS.ProcessEnv;
  /** The event's JSON; a made-up one about the subject if absent. */
  readonly input: Uint8Array | undefined;
  readonly subject: string | undefined;
  readonly strace: boolean;
  /** Put the declarations into the project's store. */
  readonly write: boolean;
  readonly signal: AbortSignal;
}

/** What was seen of an event's hooks, and what to declare after all runs watched so far. */
export interface EventTrace {
  readonly event: string;
  readonly method: TraceMethod;
  readonly seen: readonly TracedHook[];
  readonly declare: Readonly<Record<string, Touches>>;
  /** The file the declarations were written to, if they were. */
  readonly written: string | undefined;
}

/** Runs an event's hooks one by one, watches them, keeps what was seen and proposes what to declare. */
export async function traceProject(request: TraceRequest): Promise<EventTrace> {
  const { event, places, env, signal } = request;
  const { projectDir } = places;
  const made = (): Uint8Array => Buffer.from(JSON.stringify(sampleInput(event, projectDir, request.subject)));
  const input = readEventInput(request.input ?? made(), "--input");
  const { staging, problems } = await stageEvent(event, input.fields, places);
  refuseUnreadable(staging.hooks, problems);
  refuseUnconfigured(event, configuredEvents(places, []));
  if (staging.hooks.length === 0) throw new UsageError(`no hook of ${event} runs with this input`);
  const method = request.strace && straceWorks() ? "strace" : "snapshot";
  const surroundings = surroundingsOf({ input, env, cwd: projectDir, project: projectDir });
  const seen = await traceEvent(staging, input, surroundings, method, signal);
  const observations = seen.filter(endedByItself).map(({ observation }) => observation);
  const known = addObservations(stateDirectory(projectDir), event, observations)[event] ?? {};
  const declare = Object.fromEntries(
    staging.hooks
      .map((hook) => known[hook.name])
      .filter((observation) => observation !== undefined)
      .map(({ hook, reads, writes }) => [declarationKey({ event, name: hook }), { reads, writes }]),
  );
  if (!request.write) return { event, method, seen, declare, written: undefined };
  const written = staging.hooks.flatMap((hook): readonly (readonly [string, object])[] => {
    const observation = known[hook.name];
    const touches = declare[declarationKey(hook)];
    if (observation === undefined) return [];
    // What was watched earlier, and has changed since, was not watched as it is now.
    const traced = isAsTraced(hook, observation) ? { traced: contentOf(hook, observation.files, projectDir) } : {};
    return [[declarationKey(hook), { ...touches, ...traced }]];
  });
  return { event, method, seen, declare, written: writeDeclarations(places, Object.fromEntries(written)) };
}

/** Only then was all of it seen: what a hook that was cut off, or not found, would have touched, nobody knows. */
function endedByItself({ ending, observation }: TracedHook): boolean {
  const notFound = ending.kind === "exited" && (ending.code === 126 || ending.code === NOT_FOUND);
  return ending.kind === "exited" && !notFound && observation.files.every((file) => existsSync(file));
}

/** The trace for people. */
export function traceText({ event, method, seen, declare, written }: EventTrace): string {
  const watched = method === "strace" ? "strace" : "snapshots of files";
  const lines = [`${event}: ${counted(seen.length, "hook")}, watched with ${watched}`, ""];
  for (const { observation, ending } of seen) {
    const code = "code" in ending ? ` ${ending.code}` : "";
    const well = ending.kind === "exited" && ending.code === 0;
    lines.push(well ? observation.hook : `${observation.hook}  (${ending.kind}${code})`);
    if (method === "strace") lines.push(`  reads   ${observation.reads.join(", ") || "nothing"}`);
    lines.push(`  writes  ${observation.writes.join(", ") || "nothing"}`);
  }
  lines.push("", "proposed declarations, from all runs watched so far:", JSON.stringify({ declare }, null, 2), "");
  const cut = seen.filter((hook) => !endedByItself(hook)).map(({ observation }) => observation.hook);
  if (cut.length > 0) {
    const stay = "They run alone, unless you declare yourself what they read and write.";
    lines.push(`Not watched to the end, so nothing of this run is proposed: ${cut.join(", ")}. ${stay}`);
  }
  lines.push("This is what these inputs made the hooks do; another input may make them do more.");
  if (method === "snapshot") lines.push(`Without strace: ${snapshotBlindness}`);
  const offer = "To put this into the project's coppice-hooks.json, add --write.";
  lines.push(written === undefined ? offer : `written to ${written}`);
  return `${lines.join("\n")}\n`;
}

/** Writes declarations into the project's store; what else is declared there for the hooks stays. Returns the file. */
function writeDeclarations(places: Places, declarations: Readonly<Record<string, object>>): string {
  const file = scopeFiles(places, "project").store;
  const before = readIfThere(file);
  const store = parseStore(file, before);
  const declare: Record<string, unknown> = { ...fieldsOf(store.declare) };
  for (const [hook, touches] of Object.entries(declarations))
    declare[hook] = { ...fieldsOf(declare[hook]), ...touches };
  const next = { ...store, declare };
  const after = before === undefined ? writtenLike(undefined, next) : editedText(before, next);
  applyChanges([{ file, before, after }]);
  return file;
}

/** An input such as an agent would send for the event, for trying hooks out. */
function sampleInput(event: string, projectDir: string, subject: string | undefined): Fields {
  const common = { session_id: "coppice-trace", transcript_path: "", cwd: projectDir, hook_event_name: event };
  const field = subjectField(event);
  const about = field === undefined ? {} : { [field]: subject ?? (field === "tool_name" ? "Bash" : "startup") };
  switch (event) {
    case "UserPromptSubmit":
      return { ...common, prompt: subject ?? "hello" };
    case "PreToolUse":
    case "PostToolUse":
      return { ...common, ...about, tool_use_id: "toolu_trace", tool_input: { command: "true" }, tool_response: {} };
    default:
      return { ...common, ...about };
  }
}
