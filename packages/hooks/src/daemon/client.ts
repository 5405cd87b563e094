import { connect, type Socket } from "node:net";
import { afterLooking } from "@coppice/engine/child-process";
import type { StagedEvent } from "../staging/stage-event.ts";
import type { MeetingPlace } from "./meeting-place.ts";
import {
  type DaemonAnswer,
  type DaemonQuestion,
  type DaemonReply,
  lineReader,
  type ModuleCall,
  type ModuleResult,
  type StagingRequest,
} from "./protocol.ts";

/** How long beyond a hook's own timeout the daemon may take to say so. */
const PATIENCE_MS = 1000;
/** Staging takes a few milliseconds; a daemon that takes this long hangs, and staging here has lost nothing. */
const STAGING_PATIENCE_MS = 500;

const GONE: DaemonAnswer = {
  kind: "replied",
  reply: { code: 1, stdout: "", stderr: "the daemon ended while it ran this hook" },
};

/** A connection to the daemon; many calls may be under way at once. */
export class DaemonClient {
  readonly #socket: Socket;
  readonly #token: string;
  readonly #waiting = new Map<number, (answer: DaemonAnswer) => void>();
  #nextId = 0;
  #gone = false;

  /** Connects; undefined when nobody is there. */
  static open(place: MeetingPlace, token: string): Promise<DaemonClient | undefined> {
    return new Promise((resolve) => {
      const socket = connect(place.socket);
      socket.once("error", () => resolve(undefined));
      socket.once("connect", () => resolve(new DaemonClient(socket, token)));
    });
  }

  private constructor(socket: Socket, token: string) {
    this.#socket = socket;
    this.#token = token;
    const onLine = (line: string): void => {
      const reply = JSON.parse(line) as DaemonReply;
      this.#waiting.get(reply.id)?.(reply);
    };
    socket.setEncoding("utf8").on("data", lineReader(onLine));
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#gone = true;
      for (const settle of [...this.#waiting.values()]) settle(GONE);
    });
    socket.unref();
  }

  /**
   * Runs a module hook in the daemon; undefined when the daemon refuses. One that ends meanwhile leaves a failed hook,
   * which is not run again, because nobody knows how far it came; one that hangs leaves a timeout.
   */
  async callModule(
    path: string,
    { input, cwd, projectDir, env }: ModuleCall,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<ModuleResult | undefined> {
    const question = { op: "module", path, timeoutMs, input, cwd, projectDir, env } as const;
    const answer = await this.#ask(question, timeoutMs + PATIENCE_MS, signal);
    return answer.kind === "refused" || answer.kind === "pong" || answer.kind === "staged" ? undefined : answer;
  }

  /** The staging the daemon keeps for an event; undefined when it has none to give, refuses, hangs or ends. */
  async stage(request: StagingRequest): Promise<StagedEvent | undefined> {
    const answer = await this.#ask({ op: "stage", ...request }, STAGING_PATIENCE_MS);
    return answer.kind === "staged" ? answer.staged : undefined;
  }

  /** Who is there. With "stop" the daemon ends after it has said so. */
  async ping(op: "ping" | "stop" = "ping"): Promise<Extract<DaemonAnswer, { kind: "pong" }> | undefined> {
    const answer = await this.#ask({ op });
    return answer.kind === "pong" ? answer : undefined;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Asks, and gives up when patience ends or the signal says so. */
  #ask(question: DaemonQuestion, patienceMs?: number, signal?: AbortSignal): Promise<DaemonAnswer> {
    if (this.#gone) return Promise.resolve(GONE);
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const settle = (answer: DaemonAnswer): void => {
        callOff?.();
        signal?.removeEventListener("abort", onAbort);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#socket.unref();
        resolve(answer);
      };
      const callOff =
        patienceMs === undefined ? undefined : afterLooking(patienceMs, () => settle({ kind: "timeout" }));
      const onAbort = (): void => settle({ kind: "ended", reason: String(signal?.reason) });
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.set(id, settle);
      this.#socket.ref();
      this.#socket.write(`${JSON.stringify({ id, token: this.#token, ...question })}\n`);
    });
  }
}
