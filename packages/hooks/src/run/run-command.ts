import { fstatSync, writeSync } from "node:fs";
import { isFolder } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { Merged } from "../merge/merge-answers.ts";
import { isEventName, whyNothingRan } from "../settings/known-events.ts";
import { answerEvent, type EventCall } from "./answer-event.ts";
import { pause, readAll, readEventInput } from "./event-input.ts";

const USAGE =
  "usage: coppice hooks run <Event> [--project <dir>] [--concurrency <n>] [--serial] [--no-daemon] [--json] < input.json";

/**
 * `coppice hooks run`: answers one event from standard input; resolves to the exit code. Wrong usage, too, ends with 1:
 * the agent reads exit code 2 as a block.
 */
export async function runHooksRun(argv: readonly string[]): Promise<number> {
  const ender = new AbortController();
  let interrupted: number | undefined;
  const onSignal = (code: number) => (): void => {
    interrupted = code;
    ender.abort("the agent ended the event");
  };
  try {
    const { handedOn, ...asked } = readArguments(argv);
    if (isTerminal(0)) throw new UsageError(`standard input is a terminal; ${USAGE}`);
    const bytes = readAll(0);
    const input = readEventInput(handedOn ? bytes.subarray(0, -2) : bytes);
    // Only now: while standard input is read nothing else runs, and a signal must simply end us.
    process.once("SIGINT", onSignal(130));
    process.once("SIGTERM", onSignal(143));
    const { signal } = ender;
    const surroundings = { env: process.env, cwd: workingDirectory() };
    const { merged, record } = await answerEvent({ ...asked, ...surroundings, input, signal, exitCodes: true });
    if (interrupted !== undefined) return interrupted;
    // Errors first: whoever sees the answer may stop listening.
    writeAll(2, errorText(asked.event, merged));
    const trouble = writeAll(1, merged.stdout);
    record();
    return trouble === undefined ? merged.exitCode : unsaid(merged, trouble);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    writeAll(2, `coppice hooks run: ${error instanceof UsageError ? message : `internal error: ${message}`}\n`);
    return 1;
  }
}

/** Where we stand; an event says where its hooks run, so a directory that was removed is no reason to run none. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

/** What goes to standard error beside an answer. */
export function errorText(event: string, { stderr, stdout }: Merged): string {
  const nothingRan = whyNothingRan(event, stdout);
  return nothingRan === undefined ? stderr : `${stderr}coppice hooks run: ${nothingRan}\n`;
}

type Asked = Pick<EventCall, "event" | "project" | "concurrency" | "serial" | "daemon"> & {
  /** A launcher had read the event; it added two bytes so that the end of it stayed as it was. */
  readonly handedOn: boolean;
};

function readArguments(argv: readonly string[]): Asked {
  let event: string | undefined;
  let project: string | undefined;
  let concurrency: number | undefined;
  let serial = false;
  let daemon: "ask" | "none" | "lost" = "ask";
  let handedOn = false;
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i];
    if (argument === "--project") project = argv[++i] ?? "";
    else if (argument === "--concurrency") {
      concurrency = Number(argv[++i]);
      if (!(Number.isInteger(concurrency) && concurrency > 0)) {
        const found = argv[i] === undefined ? "" : `, not ${argv[i]}`;
        throw new UsageError(`--concurrency must be a whole number above 0${found}; ${USAGE}`);
      }
    } else if (argument === "--serial") serial = true;
    else if (argument === "--no-daemon") daemon = "none";
    else if (argument === "--handed-on") {
      handedOn = true;
      if (argv[++i] === "lost") daemon = "lost";
    } else if (argument === "--json") continue;
    else if (argument.startsWith("-") || event !== undefined) {
      throw new UsageError(`unexpected ${JSON.stringify(argument)}; ${USAGE}`);
    } else event = argument;
  }
  if (event === undefined || !isEventName(event)) {
    const found = event === undefined ? "" : `, not ${JSON.stringify(event)}`;
    throw new UsageError(`an event such as UserPromptSubmit is needed${found}; ${USAGE}`);
  }
  if (project !== undefined && !isFolder(project)) {
    throw new UsageError(`--project ${project}: there is no such directory`);
  }
  return { event, project, concurrency, serial, daemon, handedOn };
}

/** Asked of the descriptor only when it may be one: `process.stdin` is slow to make. */
function isTerminal(descriptor: number): boolean {
  return fstatSync(descriptor).isCharacterDevice() && process.stdin.isTTY === true;
}

/** The exit code when the answer could not be written: what was to hold the agent back still does. */
function unsaid(merged: Merged, trouble: NodeJS.ErrnoException): number {
  const holds = isHoldingBack(merged);
  if (!holds && trouble.code === "EPIPE") return merged.exitCode; // whoever asked has gone
  const instead = holds ? "it did not allow the agent to continue, so this is a block" : "it is lost";
  writeAll(2, `coppice hooks run: the hooks' answer could not be written (${trouble.message}): ${instead}\n`);
  return holds ? 2 : 1;
}

interface HookAnswer {
  readonly continue?: unknown;
  readonly decision?: unknown;
  readonly hookSpecificOutput?: { readonly permissionDecision?: unknown; readonly decision?: unknown };
}

/** Whether an answer is no permission to go on. */
export function isHoldingBack({ exitCode, stdout }: Merged): boolean {
  const { continue: goesOn, decision, hookSpecificOutput: specific } = JSON.parse(stdout) as HookAnswer;
  const said = [decision, specific?.permissionDecision];
  return exitCode === 2 || goesOn === false || said.some((word) => ["block", "deny", "ask"].includes(String(word)));
}

/** Writes all of a text without loading a stream; returns what prevented it. */
function writeAll(descriptor: number, text: string): NodeJS.ErrnoException | undefined {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return error as NodeJS.ErrnoException;
      pause();
    }
  }
  return undefined;
}
