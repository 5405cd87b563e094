import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TokenBucket } from "../models/pace/token-bucket.ts";
import type { AnswerBehaviour, Behaviour } from "./behaviour.ts";
import { completionChunks, wholeCompletion } from "./chat-completion.ts";
import type { ReceivedBody, ReceivedCall } from "./received-call.ts";

/** What a provider lets through: a number of requests per second, with a reserve for bursts. */
export interface Quota {
  readonly perSecond: number;
  /** Requests that may come at once after a pause. Default: a tenth of a second's worth, at least 1. */
  readonly burst?: number;
  /** Sends `Retry-After` (whole seconds) with every 429. */
  readonly retryAfter?: boolean;
}

/** How a practice server behaves, and where it listens. */
export interface PracticeServerOptions {
  /** What to do with each request that the quota lets in. */
  readonly respond: (call: ReceivedCall) => Behaviour | Promise<Behaviour>;
  readonly quota?: Quota;
  /** Requires `Authorization: Bearer <key>`; others get 401. */
  readonly key?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Remembers calls; off for long measurements. Default true. */
  readonly remember?: boolean;
}

/**
 * A language-model provider to practise with: speaks the OpenAI protocol over real HTTP on this machine, streaming
 * included, answers by script, and misbehaves when told to.
 */
export class PracticeServer {
  readonly #options: PracticeServerOptions;
  readonly #server: Server;
  readonly #quota: TokenBucket | undefined;
  readonly #closing = new AbortController();
  /** Every request so far, in order of arrival. */
  readonly calls: ReceivedCall[] = [];
  /** Requests that were let in, and requests refused with 429. */
  admitted = 0;
  refused = 0;
  mostAtOnce = 0;
  #arrived = 0;
  #underWay = 0;

  private constructor(options: PracticeServerOptions) {
    this.#options = options;
    this.#quota = options.quota === undefined ? undefined : bucketOf(options.quota, performance.now());
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy());
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  /** Starts a server on 127.0.0.1. */
  static async start(options: PracticeServerOptions): Promise<PracticeServer> {
    const server = new PracticeServer(options);
    server.#server.listen(options.port ?? 0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  /** The base URL a client is given. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Lets a program end although the server is up. */
  unref(): void {
    this.#server.unref();
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#closing.abort();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const text = await textOf(request);
    const body = bodyOf(text);
    if (request.method !== "POST" || !path.endsWith("/chat/completions") || body === undefined) {
      const status = body === undefined ? 400 : 404;
      refuse(response, status, body === undefined ? "the body is not a chat request" : `nothing at ${path}`);
      return;
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const call: ReceivedCall = {
      index: this.#arrived++,
      path,
      headers,
      body,
      atMs: performance.now(),
      status: undefined,
      endedAtMs: undefined,
      closedAtMs: undefined,
    };
    if (this.#options.remember !== false) this.calls.push(call);
    this.#underWay++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#underWay);
    const gone = new AbortController();
    response.on("close", () => {
      this.#underWay--;
      gone.abort();
      if (call.endedAtMs === undefined) call.closedAtMs = performance.now();
    });
    response.on("finish", () => {
      call.endedAtMs = performance.now();
    });
    const exchange = new Exchange(call, response, AbortSignal.any([gone.signal, this.#closing.signal]));
    await exchange.carryOut(await this.#behaviour(call, headers)).catch((error: unknown) => {
      if (!exchange.signal.aborted) throw error;
    });
  }

  async #behaviour(call: ReceivedCall, headers: Readonly<Record<string, string>>): Promise<Behaviour> {
    const { key, quota, respond } = this.#options;
    if (key !== undefined && headers.authorization !== `Bearer ${key}`) return { kind: "status", status: 401 };
    const waitMs = this.#quota?.waitMs(performance.now()) ?? 0;
    if (waitMs > 0) {
      this.refused++;
      const retryAfter = quota?.retryAfter === true ? { retryAfter: String(Math.ceil(waitMs / 1000)) } : {};
      return { kind: "status", status: 429, ...retryAfter };
    }
    this.#quota?.take();
    this.admitted++;
    return respond(call);
  }
}

function bucketOf({ perSecond, burst = Math.max(1, perSecond / 10) }: Quota, nowMs: number): TokenBucket {
  return new TokenBucket(perSecond / 1000, burst, nowMs);
}

/** One request and what is sent back. Stops as soon as the client has gone. */
class Exchange {
  readonly #call: ReceivedCall;
  readonly #response: ServerResponse;
  readonly signal: AbortSignal;

  constructor(call: ReceivedCall, response: ServerResponse, signal: AbortSignal) {
    this.#call = call;
    this.#response = response;
    this.signal = signal;
  }

  async carryOut(behaviour: Behaviour): Promise<void> {
    switch (behaviour.kind) {
      case "answer":
        return this.#answer(behaviour);
      case "status":
        await this.#wait(behaviour.afterMs ?? 0);
        this.#call.status = behaviour.status;
        if (behaviour.retryAfter !== undefined) this.#response.setHeader("retry-after", behaviour.retryAfter);
        for (const [name, value] of Object.entries(behaviour.headers ?? {})) this.#response.setHeader(name, value);
        refuse(this.#response, behaviour.status, `scripted status ${behaviour.status}`, behaviour.error);
        return;
      case "json":
        this.#head("application/json");
        this.#response.end(JSON.stringify(behaviour.body));
        return;
      case "events":
        this.#head("text/event-stream");
        for (const event of behaviour.events) this.#event(event);
        this.#response.end(behaviour.unfinished === true ? "" : "data: [DONE]\n\n");
        return;
      case "cut":
        await this.#wait(behaviour.afterMs ?? 0);
        if (behaviour.after !== undefined) {
          this.#head("text/event-stream");
          const [first, piece] = completionChunks({ content: behaviour.after, pieces: 1 }, this.#call.body, this.#id());
          this.#event(first);
          this.#event(piece);
          await this.#wait(5); // let the part be on its way before the reset overtakes it
        }
        this.#response.socket?.resetAndDestroy();
        return;
      case "malformed":
        this.#head(this.#streams() ? "text/event-stream" : "application/json");
        this.#response.end(this.#streams() ? 'data: {"choices": [{"delta"\n\n' : '{"choices": [{"message"');
        return;
      case "web-page":
        this.#head("text/html");
        this.#response.end("<!doctype html><title>Sign in</title>");
        return;
      case "no-choices":
        this.#head("application/json");
        this.#response.end(JSON.stringify({ id: this.#id(), object: "chat.completion", choices: [] }));
        return;
      case "silence":
        return;
      default:
        behaviour satisfies never;
    }
  }

  async #answer(answer: AnswerBehaviour): Promise<void> {
    const latencyMs = answer.latencyMs ?? 0;
    if (!this.#streams() || answer.whole === true) {
      await this.#wait(latencyMs);
      this.#head("application/json");
      this.#response.end(JSON.stringify(wholeCompletion(answer, this.#call.body, this.#id())));
      return;
    }
    const chunks = completionChunks(answer, this.#call.body, this.#id());
    const firstByteMs = Math.min(latencyMs, answer.firstByteMs ?? 0);
    const startMs = performance.now();
    for (const [i, chunk] of chunks.entries()) {
      const dueMs = startMs + firstByteMs + ((latencyMs - firstByteMs) * i) / (chunks.length - 1);
      await this.#wait(dueMs - performance.now());
      if (i === 0) this.#head("text/event-stream");
      this.#event(chunk);
    }
    this.#response.end("data: [DONE]\n\n");
  }

  #streams(): boolean {
    return this.#call.body.stream === true;
  }

  #id(): string {
    return `practice-${this.#call.index}`;
  }

  #head(contentType: string): void {
    this.#call.status = 200;
    this.#response.writeHead(200, { "content-type": contentType });
    this.#response.flushHeaders();
  }

  #event(data: unknown): void {
    this.#response.write(`data: ${JSON.stringify(data)}\n\n`);
  }

  async #wait(ms: number): Promise<void> {
    if (ms >= 1) await sleep(ms, undefined, { signal: this.signal });
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function bodyOf(text: string): ReceivedBody | undefined {
  try {
    const body = JSON.parse(text) as ReceivedBody;
    return Array.isArray(body.messages) && typeof body.model === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, message: string, error?: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: error ?? { message, type: "practice", code: status } }));
}
