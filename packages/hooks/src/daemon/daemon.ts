import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { isAbsolute } from "node:path";
import { placesOf } from "../settings/scopes.ts";
import { StagingCache } from "../staging/staging-cache.ts";
import { DaemonClient } from "./client.ts";
import { type MeetingPlace, makePrivate, trustedToken } from "./meeting-place.ts";
import { ModuleHost } from "./module-host.ts";
import { type DaemonReply, type DaemonRequest, lineReader } from "./protocol.ts";

/** The daemon could not be started; the message says why. */
export class DaemonProblem extends Error {
  override readonly name = "DaemonProblem";
}

/** Keeps settings, stagings and module hooks warm for this user, behind a socket only this user can open and a token only this user can read. */
export class HooksDaemon {
  readonly host = new ModuleHost();
  readonly stagings = new StagingCache();
  readonly token = randomBytes(32).toString("hex");
  readonly #place: MeetingPlace;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #ended = Promise.withResolvers<void>();

  /** Listens; throws {@link DaemonProblem} when another daemon already does or the place is not private. */
  static async start(place: MeetingPlace): Promise<HooksDaemon> {
    try {
      makePrivate(place);
    } catch (error) {
      throw new DaemonProblem(error instanceof Error ? error.message : String(error));
    }
    const token = trustedToken(place);
    const other = token === undefined ? undefined : await DaemonClient.open(place, token);
    if (other !== undefined) {
      const pong = await other.ping();
      other.close();
      if (pong !== undefined) throw new DaemonProblem(`a daemon is already running (pid ${pong.pid})`);
    }
    rmSync(place.socket, { force: true });
    const daemon = new HooksDaemon(place);
    await daemon.#listen();
    return daemon;
  }

  private constructor(place: MeetingPlace) {
    this.#place = place;
    this.#server = createServer((socket) => this.#serve(socket));
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
    await this.host.close();
    this.#ended.resolve();
  }

  /** Whether a text is this daemon's token, in a time that does not depend on how much of it is right. */
  accepts(token: unknown): boolean {
    const given = Buffer.from(String(token));
    const right = Buffer.from(this.token);
    return given.length === right.length && timingSafeEqual(given, right);
  }

  async #listen(): Promise<void> {
    rmSync(this.#place.tokenFile, { force: true });
    writeFileSync(this.#place.tokenFile, this.token, { mode: 0o600, flag: "wx" });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (error) => reject(new DaemonProblem(`${this.#place.socket}: ${error.message}`)));
      this.#server.listen(this.#place.socket, resolve);
    });
    chmodSync(this.#place.socket, 0o600);
  }

  #serve(socket: Socket): void {
    const gone = new AbortController();
    this.#sockets.add(socket);
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#sockets.delete(socket);
      gone.abort("the caller has gone");
    });
    const reply = (answer: DaemonReply): void => {
      if (!socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`);
    };
    socket.on(
      "data",
      lineReader((line) => {
        const request = this.#read(line);
        if ("refused" in request) {
          reply({ id: request.id, kind: "refused", reason: request.refused });
          if (request.id < 0) socket.destroySoon();
        } else {
          const failed = (error: unknown): void => {
            const stderr = error instanceof Error ? error.message : String(error);
            reply({ id: request.id, kind: "replied", reply: { code: 1, stdout: "", stderr } });
          };
          void this.#answer(request, gone.signal).then(reply, failed);
        }
      }),
    );
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
    if (!this.accepts(request.token)) return { id, refused: "wrong token" };
    if (request.op === "module") {
      const whole = typeof request.path === "string" && isAbsolute(request.path) && typeof request.input === "string";
      const limited = typeof request.timeoutMs === "number" && request.timeoutMs > 0;
      return whole && limited
        ? (request as DaemonRequest)
        : { id, refused: "a module call needs path, input and timeout" };
    }
    if (request.op === "stage") {
      const named = typeof request.event === "string" && typeof request.projectDir === "string";
      const whole =
        named && isAbsolute(String(request.projectDir)) && isObject(request.fields) && isObject(request.env);
      return whole ? (request as DaemonRequest) : { id, refused: "staging needs event, fields, projectDir and env" };
    }
    if (request.op === "ping" || request.op === "stop") return request as DaemonRequest;
    return { id, refused: "unknown request" };
  }

  async #answer(request: DaemonRequest, signal: AbortSignal): Promise<DaemonReply> {
    const { id } = request;
    switch (request.op) {
      case "module": {
        const { path, input, cwd, projectDir, env, timeoutMs } = request;
        const result = await this.host.call(path, { input, cwd, projectDir, env }, timeoutMs, signal);
        return { id, ...result };
      }
      case "stage": {
        const { event, fields, projectDir, env } = request;
        const staged = await this.stagings.stage(event, fields, placesOf(projectDir, env), env);
        // Why hooks wait is for those who read stagings; running one needs only its stages.
        return { id, kind: "staged", staged: { ...staged, staging: { ...staged.staging, edges: [] } } };
      }
      case "stop":
        setImmediate(() => void this.close());
        return { id, kind: "pong", pid: process.pid, modules: this.host.size };
      case "ping":
        return { id, kind: "pong", pid: process.pid, modules: this.host.size };
      default:
        return request satisfies never;
    }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
