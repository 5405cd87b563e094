import { randomBytes } from "node:crypto";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { isAbsolute } from "node:path";
import { isSecret } from "@coppice/engine/stranger";
import { UsageError } from "@coppice/engine/usage-error";
import { fieldsOf } from "../json-fields.ts";
import { answerStaged, surroundingsOf } from "../run/answer-here.ts";
import { readEventInput } from "../run/event-input.ts";
import type { Hook } from "../settings/hook.ts";
import { readEventSettings } from "../settings/read-settings.ts";
import { placesOf } from "../settings/scopes.ts";
import type { StagedEvent } from "../staging/stage-event.ts";
import { StagingCache } from "../staging/staging-cache.ts";
import { LauncherDoor } from "./launcher-door.ts";
import { connectToDaemon, type MeetingPlace, makePrivate } from "./meeting-place.ts";
import { ModuleHost } from "./module-host.ts";
import { type DaemonAnswer, type DaemonRequest, type EventQuestion, lineReader } from "./protocol.ts";

/** Keeps stagings and module hooks warm for this user, behind a socket only this user can open and a token only this user can read. */
export class HooksDaemon {
  readonly host = new ModuleHost();
  readonly stagings = new StagingCache();
  readonly token = randomBytes(32).toString("hex");
  readonly #place: MeetingPlace;
  readonly #server: Server;
  readonly #door: LauncherDoor;
  readonly #sockets = new Set<Socket>();
  readonly #ended = Promise.withResolvers<void>();

  /** Listens; throws {@link UsageError} when another daemon already does or the place is not private. */
  static async start(place: MeetingPlace): Promise<HooksDaemon> {
    makePrivate(place);
    const other = await connectToDaemon(place);
    const pong = await other?.ping();
    other?.close();
    if (pong !== undefined) throw new UsageError(`a daemon is already running (pid ${pong.pid})`);
    rmSync(place.socket, { force: true });
    const daemon = new HooksDaemon(place);
    await daemon.#listen();
    return daemon;
  }

  private constructor(place: MeetingPlace) {
    this.#place = place;
    this.#server = createServer((socket) => this.#serve(socket));
    this.#door = new LauncherDoor(this, place.launcher);
  }

  /** Resolves when the daemon has ended, by whatever cause. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Ends everything and leaves nothing behind. */
  async close(): Promise<void> {
    rmSync(this.#place.socket, { force: true });
    rmSync(this.#place.tokenFile, { force: true });
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    this.#door.close();
    await this.host.close();
    this.#ended.resolve();
  }

  /** Whether a text is this daemon's token, in a time that does not depend on how much of it is right. */
  accepts(token: unknown): boolean {
    return isSecret(String(token), this.token);
  }

  async #listen(): Promise<void> {
    rmSync(this.#place.tokenFile, { force: true });
    writeFileSync(this.#place.tokenFile, this.token, { mode: 0o600, flag: "wx" });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (error) => reject(new UsageError(`${this.#place.socket}: ${error.message}`)));
      this.#server.listen(this.#place.socket, resolve);
    });
    chmodSync(this.#place.socket, 0o600);
    await this.#door.open();
  }

  #serve(socket: Socket): void {
    const gone = new AbortController();
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#sockets.delete(socket);
      gone.abort("the caller has gone");
    });
    const reply = (id: number, answer: DaemonAnswer): void => {
      if (!socket.destroyed) socket.write(`${JSON.stringify({ id, ...answer })}\n`);
    };
    const onLine = (line: string): void => {
      const request = this.#read(line);
      if ("refused" in request) {
        reply(request.id, { kind: "refused", reason: request.refused });
        if (request.id < 0) socket.destroySoon();
        return;
      }
      const failed = (error: unknown): DaemonAnswer => {
        const stderr = error instanceof Error ? error.message : String(error);
        return { kind: "replied", reply: { code: 1, stdout: "", stderr } };
      };
      void this.#answer(request, gone.signal, (answer) => reply(request.id, answer)).then(
        (answer) => reply(request.id, answer),
        (error) => reply(request.id, failed(error)),
      );
    };
    socket.setEncoding("utf8").on("data", lineReader(onLine));
  }

  /** A request that may be answered, or why not; without the right token nothing else is looked at. */
  #read(line: string): DaemonRequest | { readonly id: number; readonly refused: string } {
    let request: Partial<DaemonRequest>;
    try {
      request = JSON.parse(line);
    } catch {
      return { id: -1, refused: "not JSON" };
    }
    const id = typeof request.id === "number" ? request.id : -1;
    const refused = !this.accepts(request.token) ? "wrong token" : refusal(request);
    return refused === undefined ? (request as DaemonRequest) : { id, refused };
  }

  async #answer(
    request: DaemonRequest,
    gone: AbortSignal,
    meanwhile: (answer: DaemonAnswer) => void,
  ): Promise<DaemonAnswer> {
    switch (request.op) {
      case "module": {
        const { path, input, cwd, projectDir, env, timeoutMs } = request;
        return await this.host.call(path, { input, cwd, projectDir, env }, timeoutMs, gone);
      }
      case "event":
        return await this.answerEvent(request, gone, meanwhile);
      case "ping":
      case "stop":
        if (request.op === "stop") setImmediate(() => void this.close());
        return { kind: "pong", pid: process.pid, modules: this.host.size };
      default:
        return request satisfies never;
    }
  }

  /**
   * Runs an event whose hooks are all modules, after it has said so; any other is staged for the caller, who has to
   * start processes.
   */
  async answerEvent(
    { event, input, cwd, env, project, concurrency, serial }: EventQuestion,
    signal: AbortSignal,
    begun: (answer: Extract<DaemonAnswer, { kind: "begun" }>) => void | Promise<void>,
  ): Promise<Extract<DaemonAnswer, { kind: "answered" | "staged" }>> {
    const read = readEventInput(Buffer.from(input));
    const settings = { event, input: read, cwd, env, project, concurrency, serial };
    const call = { ...settings, signal, daemon: this, exitCodes: true };
    const surroundings = surroundingsOf(call);
    const { projectDir } = surroundings;
    const places = placesOf(projectDir, env);
    const staged = await this.stagings.stage(event, read.fields, places, env);
    if (!staged.readable || !staged.staging.hooks.every(isWarm)) {
      this.#door.keepOut(projectDir, event);
      // Why hooks wait is for people to read; running them needs only the stages.
      return { kind: "staged", staged: { ...staged, staging: { ...staged.staging, edges: [] } } };
    }
    await begun({ kind: "begun", limitMs: longestMs(staged, concurrency) });
    const { merged, record } = await answerStaged(call, surroundings, staged, undefined);
    setImmediate(() => {
      record();
      // Of all hooks, whatever the event is about: one that needs a process now and then would be asked about in vain.
      if (readEventSettings(event, places).hooks.every(isWarm)) this.#door.letIn(projectDir, event);
    });
    return { kind: "answered", merged };
  }
}

/** Whether the daemon can run a hook by itself, as the agent waits for it. */
function isWarm({ module, background }: Hook): boolean {
  return module !== undefined && !background;
}

/** How long an event's hooks may take together if each takes all of its time. */
function longestMs({ staging, options }: StagedEvent, concurrency = options.concurrency): number {
  const ofStage = (stage: readonly number[]): number =>
    Math.ceil(stage.length / concurrency) * Math.max(...stage.map((index) => staging.hooks[index].timeoutMs));
  return staging.stages.reduce((total, stage) => total + ofStage(stage), 0);
}

/** What a request lacks, if anything. */
function refusal(request: Partial<DaemonRequest>): string | undefined {
  const isPath = (path: unknown): boolean => typeof path === "string" && isAbsolute(path);
  switch (request.op) {
    case "module": {
      const limited = typeof request.timeoutMs === "number" && request.timeoutMs > 0;
      const whole = isPath(request.path) && typeof request.input === "string";
      return whole && limited ? undefined : "a module call needs path, input and timeout";
    }
    case "event": {
      const whole = typeof request.event === "string" && typeof request.input === "string" && fieldsOf(request.env);
      return whole && isPath(request.cwd) ? undefined : "an event needs its name, input, cwd and env";
    }
    case "ping":
    case "stop":
      return undefined;
    default:
      return "unknown request";
  }
}
