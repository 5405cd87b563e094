import { connect, type Socket } from "node:net";
import type { StagedEvent } from "../staging/stage-event.ts";
import type { MeetingPlace } from "./meeting-place.ts";
import type { ModuleResult } from "./module-host.ts";
import type { ModuleCall } from "./protocol.ts";
import { type DaemonReply, type DaemonRequest, lineReader } from "./protocol.ts";

/** How long beyond a hook's own timeout the daemon may take to say so. */
const PATIENCE_MS = 1000;
/** A staging is made in a few milliseconds; a daemon that takes this long hangs, and staging here has lost nothing. */
const PLAN_PATIENCE_MS = 500;

/** A connection to the daemon; many calls may be under way at once. */
export class DaemonClient {
  readonly #socket: Socket;
  readonly #token: string;
  readonly #waiting = new Map<number, (reply: DaemonReply) => void>();
  #nextId = 0;
  #gone = false;

  /** Connects, or gives undefined when nobody is there. */
  static open(place: MeetingPlace, token: string): Promise<DaemonClient | undefined> {
    return new Promise((resolve) => {
      const socket = connect(place.socket);
      socket.once("error", () => resolve(undefined));
      socket.once("connect", () => resolve(new DaemonClient(socket, token)));
    });
  }

  constructor(socket: Socket, token: string) {
    this.#socket = socket;
    this.#token = token;
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on(
      "data",
      lineReader((line) => {
        const reply = JSON.parse(line) as DaemonReply;
        this.#settle(reply.id, reply);
      }),
    );
    socket.on("close", () => {
      this.#gone = true;
      for (const id of [...this.#waiting.keys()]) this.#settle(id, gone(id));
    });
    socket.unref();
  }

  /**
   * Runs a module hook in the daemon; undefined when the daemon refuses. One that ends meanwhile leaves a failed hook,
   * which is not run again, because nobody knows how far it came; one that hangs leaves a timeout.
   */
  async callModule(
    path: string,
    call: Omit<ModuleCall, "id">,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<ModuleResult | undefined> {
    const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<ModuleResult>();
    const timer = setTimeout(() => giveUp({ kind: "timeout" }), timeoutMs + PATIENCE_MS);
    const onAbort = (): void => giveUp({ kind: "ended", reason: String(signal.reason) });
    signal.addEventListener("abort", onAbort, { once: true });
    const reply = await Promise.race([this.#send({ op: "module", path, timeoutMs, ...call }), givenUp]);
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    return reply.kind === "refused" || reply.kind === "pong" || reply.kind === "staged" ? undefined : reply;
  }

  /** The staging the daemon keeps for an event; undefined when it has none to give, refuses, hangs or ends. */
  async stage(
    request: Omit<Extract<DaemonRequest, { op: "stage" }>, "id" | "token" | "op">,
  ): Promise<StagedEvent | undefined> {
    const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<undefined>();
    const timer = setTimeout(giveUp, PLAN_PATIENCE_MS, undefined);
    const reply = await Promise.race([this.#send({ op: "stage", ...request }), givenUp]);
    clearTimeout(timer);
    return reply?.kind === "staged" ? reply.staged : undefined;
  }

  /** Who is there. */
  async ping(): Promise<Extract<DaemonReply, { kind: "pong" }> | undefined> {
    const reply = await this.#send({ op: "ping" });
    return reply.kind === "pong" ? reply : undefined;
  }

  /** Asks the daemon to end. */
  async stop(): Promise<void> {
    await this.#send({ op: "stop" });
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(request: DistributiveOmit<DaemonRequest, "id" | "token">): Promise<DaemonReply> {
    const id = this.#nextId++;
    if (this.#gone) return Promise.resolve(gone(id));
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.ref();
      this.#socket.write(`${JSON.stringify({ id, token: this.#token, ...request })}\n`);
    });
  }

  #settle(id: number, reply: DaemonReply): void {
    this.#waiting.get(id)?.(reply);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#socket.unref();
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

function gone(id: number): DaemonReply {
  const stderr = "the daemon ended while it ran this hook";
  return { id, kind: "replied", reply: { code: 1, stdout: "", stderr } };
}
