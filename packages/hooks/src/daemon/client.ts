import { connect, type Socket } from "node:net";
import { afterLooking } from "@coppice/engine/child-process";
import type { MeetingPlace } from "./meeting-place.ts";
import {
  type DaemonAnswer,
  type DaemonQuestion,
  type DaemonReply,
  type EventQuestion,
  GONE,
  lineReader,
  type ModuleCall,
  type ModuleResult,
} from "./protocol.ts";

/** How long beyond the hooks' own timeouts the daemon may take to say so. */
const PATIENCE_MS = 1000;
/** Staging takes a few milliseconds; a daemon that takes this long hangs, and staging here has lost nothing. */
const STAGING_PATIENCE_MS = 500;

/** A connection to the daemon; many calls may be under way at once. */
export class DaemonClient {
  readonly #socket: Socket;
  readonly #token: string;
  readonly #waiting = new Map<number, (answer: DaemonAnswer) => void>();
  #nextId = 0;
  /** What every question gets when the daemon has ended or hangs. */
  #gone: DaemonAnswer | undefined;

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
      this.#gone ??= GONE;
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
    const { answer } = await this.#ask(question, timeoutMs + PATIENCE_MS, signal);
    return answer.kind === "replied" || answer.kind === "timeout" || answer.kind === "ended" ? answer : undefined;
  }

  /**
   * An event answered whole, or staged when some of its hooks are processes. Undefined when the daemon has neither to
   * give: refuses, hangs or ends before a hook began. One that is lost later has lost these hooks: {@link callModule}
   * then says of each what became of the daemon, because nobody knows how far they came.
   */
  async answer(
    question: EventQuestion,
    signal: AbortSignal,
  ): Promise<Extract<DaemonAnswer, { kind: "answered" | "staged" }> | "lost" | undefined> {
    const { answer, begun } = await this.#ask({ op: "event", ...question }, STAGING_PATIENCE_MS, signal);
    if (answer.kind === "answered" || answer.kind === "staged") return answer;
    if (!begun) return undefined;
    this.#gone = answer;
    return "lost";
  }

  /** Who is there. With "stop" the daemon ends after it has said so. */
  async ping(op: "ping" | "stop" = "ping"): Promise<Extract<DaemonAnswer, { kind: "pong" }> | undefined> {
    const { answer } = await this.#ask({ op });
    return answer.kind === "pong" ? answer : undefined;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Asks, and gives up when patience ends or the signal says so; says whether hooks had begun. */
  #ask(question: DaemonQuestion, patienceMs?: number, signal?: AbortSignal): Promise<Asked> {
    if (this.#gone !== undefined) return Promise.resolve({ answer: this.#gone, begun: false });
    const id = this.#nextId++;
    return new Promise((resolve) => {
      let begun = false;
      const giveUpAfter = (ms: number): (() => void) => afterLooking(ms, () => settle({ kind: "timeout" }));
      let callOff = patienceMs === undefined ? undefined : giveUpAfter(patienceMs);
      const settle = (answer: DaemonAnswer): void => {
        callOff?.();
        if (answer.kind === "begun") {
          begun = true;
          callOff = giveUpAfter(answer.limitMs + PATIENCE_MS);
          return;
        }
        signal?.removeEventListener("abort", onAbort);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#socket.unref();
        resolve({ answer, begun });
      };
      const onAbort = (): void => settle({ kind: "ended", reason: String(signal?.reason) });
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.set(id, settle);
      this.#socket.ref();
      this.#socket.write(`${JSON.stringify({ id, token: this.#token, ...question })}\n`);
    });
  }
}

/** Who calls module hooks somewhere else. */
export type ModuleCaller = Pick<DaemonClient, "callModule">;

interface Asked {
  readonly answer: DaemonAnswer;
  readonly begun: boolean;
}
