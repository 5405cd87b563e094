import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { dirname, isAbsolute, join } from "node:path";
import { isFolder } from "@coppice/engine/files";
import { claudeCode } from "../agent/claude-code.ts";
import { UNIT_END } from "../install/ask-daemon.ts";
import { parseFields } from "../json-fields.ts";
import type { Merged } from "../merge/merge-answers.ts";
import { errorText, isHoldingBack } from "../run/run-command.ts";
import { isEventName } from "../settings/known-events.ts";
import type { HooksDaemon } from "./daemon.ts";
import { knowsToken, readBody } from "./http-events.ts";
import type { MeetingPlace } from "./meeting-place.ts";
import type { EventQuestion } from "./protocol.ts";

/** How often a launcher hears that the daemon still works on its event; it takes two silent seconds for the end of it. */
const HEARTBEAT_MS = 250;

/**
 * Where launchers have events answered that need no process: a shell and curl, without a start of Node (see
 * `install/ask-daemon.ts`). Which events those are they see by an empty file named after project and event.
 */
export class LauncherDoor {
  readonly #daemon: HooksDaemon;
  readonly #place: MeetingPlace["launcher"];
  readonly #server: Server;

  constructor(daemon: HooksDaemon, place: MeetingPlace["launcher"]) {
    this.#daemon = daemon;
    this.#place = place;
    this.#server = createServer((request, response) => void answerLauncher(request, response, daemon));
  }

  async open(): Promise<void> {
    this.#clear();
    const { socket, curlFile } = this.#place;
    await new Promise<void>((resolve, reject) => this.#server.once("error", reject).listen(socket, resolve));
    chmodSync(socket, 0o600);
    // The token is read from here: what is among a program's arguments can be seen by every user.
    writeFileSync(curlFile, curlSettings(socket, this.#daemon.token), { mode: 0o600, flag: "wx" });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#clear();
  }

  /** From now on launchers ask about this event. */
  letIn(projectDir: string, event: string): void {
    if (!isAbsolute(projectDir) || !isEventName(event)) return;
    const mark = join(this.#place.wholeEvents, projectDir, event);
    try {
      mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
      writeFileSync(mark, "");
    } catch {
      // Node then answers, as everywhere else.
    }
  }

  /** Launchers no longer ask about this event: it takes a process. */
  keepOut(projectDir: string, event: string): void {
    if (isEventName(event)) rmSync(join(this.#place.wholeEvents, projectDir, event), { force: true });
  }

  #clear(): void {
    for (const path of Object.values(this.#place)) rmSync(path, { recursive: true, force: true });
  }
}

/** Everything a launcher's curl has to know. */
function curlSettings(socket: string, token: string): string {
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
  return [
    `unix-socket = ${quoted(socket)}`,
    `header = ${quoted(`Authorization: Bearer ${token}`)}`,
    'header = "Expect:"',
    'noproxy = "*"',
    "fail",
    "silent",
    "no-buffer",
    "speed-limit = 1",
    "speed-time = 2\n",
  ].join("\n");
}

/**
 * `POST /<Event>`: spaces while the hooks run, then what {@link launcherText} says. Whoever has read a space knows that
 * hooks have begun; a status other than 200 means that none has, and that Node has to do it.
 */
async function answerLauncher(request: IncomingMessage, response: ServerResponse, daemon: HooksDaemon): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort("the caller has gone"));
  const head = { "content-type": "text/plain", connection: "close" };
  let heart: NodeJS.Timeout | undefined;
  const begun = async (): Promise<void> => {
    heart = setInterval(() => response.write(" "), HEARTBEAT_MS);
    response.writeHead(200, head);
    await new Promise((resolve) => response.write(" ", resolve));
  };
  try {
    const body = knowsToken(request, daemon) ? await readBody(request) : undefined;
    const question = body === undefined ? undefined : questionIn(request.url ?? "", body);
    const answer = question === undefined ? undefined : await daemon.answerEvent(question, gone.signal, begun);
    if (question !== undefined && answer?.kind === "answered")
      response.end(launcherText(question.event, answer.merged));
    else response.writeHead(question === undefined ? 400 : 409, head).end();
  } catch {
    if (response.headersSent) response.destroy();
    else response.writeHead(500, head).end();
  } finally {
    clearInterval(heart);
  }
}

/**
 * The event a launcher posted: its environment as Linux keeps it, `&`, the agent's text, and two bytes that kept the end
 * of that text as it was. Undefined when something is missing that only a process could know.
 */
function questionIn(address: string, body: Buffer): EventQuestion | undefined {
  const event = address.slice(1);
  const end = body.lastIndexOf(0) + 1;
  const input = body.subarray(end + 1, -2).toString("utf8");
  const cwd = parseFields(input)?.cwd;
  const variables = body.subarray(0, end).toString("utf8").split("\0");
  const env = Object.fromEntries(
    variables
      .filter((text) => text.includes("="))
      .map((text) => [/^[^=]*/.exec(text)?.[0], text.replace(/^[^=]*=/, "")]),
  ) as Record<string, string>;
  const whole = isEventName(event) && typeof cwd === "string" && isAbsolute(cwd) && isFolder(cwd);
  return whole && env[claudeCode.projectVariable] !== undefined ? { event, input, cwd, env, serial: false } : undefined;
}

/**
 * An answer for who has nothing but a shell: after the spaces the exit code, the one to end with if the answer cannot be
 * written, the answer, and what goes to standard error with a dot that keeps its end.
 */
function launcherText(event: string, merged: Merged): string {
  const unsaid = isHoldingBack(merged) ? 2 : 1;
  const errors = errorText(event, merged).replaceAll(UNIT_END, "\ufffd");
  return ["", merged.exitCode, unsaid, merged.stdout.trimEnd(), `${errors}.`].join(UNIT_END);
}
