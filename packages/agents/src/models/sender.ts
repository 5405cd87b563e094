import { setTimeout as sleep } from "node:timers/promises";
import { Limiter, parallelMap, retryDelayMs } from "@coppice/engine/parallel-map";
import type { ChosenModel } from "./choose-model.ts";
import { ModelError, type ModelRequest } from "./consultation.ts";
import type { ModelsFile } from "./models-file.ts";
import type { Budget } from "./money/budget.ts";
import type { CallAccount, Meter } from "./money/call-account.ts";
import { expectation } from "./money/charge.ts";
import { Pace, type Pass } from "./pace/request-pace.ts";
import type { ProviderAnswer } from "./transport/chat-protocol.ts";
import { openTransport, type Transport } from "./transport/transport.ts";

/** How requests are sent: to whom, how many at once, how often. */
export interface SendingOptions {
  readonly models: ModelsFile;
  /** Limit of one attempt. */
  readonly timeoutMs: number;
  /** Further attempts after a failure that may pass (5xx, a lost connection, a broken answer). */
  readonly retries: number;
  /** Wait before the first retry; doubles each time. Default 500. */
  readonly backoffMs?: number;
  /** Requests of this process under way at once. */
  readonly concurrency: number;
}

/** How often a request may be told to slow down (429) before it is given up. */
const MAX_REFUSALS = 20;
/** A provider that asks for more patience than this is not asked again. */
const LONGEST_WAIT_MS = 60_000;
/** Shorter waits are not worth a word. */
const WORTH_A_WORD_MS = 1000;
interface Door {
  readonly transport: Transport;
  readonly pace: Pace;
  /** Why nothing more is sent there. */
  closed: ModelError | undefined;
  /** Until when people know that it makes everybody wait, on `performance.now()`. */
  announcedMs: number;
}

/** A request on its way through its attempts. */
export interface Call {
  readonly request: ModelRequest;
  readonly model: ChosenModel;
  readonly signal: AbortSignal;
  /** Hears how many characters have come so far, thoughts included, and the text without them. */
  readonly arrived: (characters: number, content: string) => void;
  readonly number: number;
  readonly account: CallAccount;
}

/** Who hears of what happens while requests are sent. */
export interface SendingEars {
  /** One line when a provider makes requests wait. */
  readonly wait: (line: string) => void;
  /** A provider has refused a request for now. */
  readonly refused: () => void;
}

/**
 * Sends requests: opens the way to each provider once, keeps its pace, the budget and the process-wide limit of waiting
 * work, and tries again what may pass.
 */
export class Sender {
  readonly #options: SendingOptions;
  readonly #budget: Budget;
  readonly #ears: SendingEars;
  readonly #doors = new Map<string, Promise<Door>>();
  readonly #slots: Limiter;

  constructor(options: SendingOptions, budget: Budget, ears: SendingEars) {
    this.#options = options;
    this.#budget = budget;
    this.#ears = ears;
    this.#slots = new Limiter(options.concurrency);
  }

  /** Sends until there is an answer, or a failure for good. */
  async send(call: Call): Promise<ProviderAnswer> {
    const { request, model, signal, account } = call;
    const door = await this.#door(model);
    let refusals = 0;
    for (let attempt = 0; ; attempt++) {
      const reservation = await this.#budget.reserve(expectation(request, model.price), signal);
      const before = account.charge;
      let pass: Pass | undefined;
      try {
        pass = await door.pace.enter(signal);
        if (door.closed !== undefined) throw door.closed;
        return await account.attempt(signal, (meter) => this.#attempt(call, door.transport, meter));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ModelError && error.name === "QuotaExhausted") door.closed = error;
        if (error instanceof ModelError && error.name === "RateLimited") {
          pass?.refused();
          refusals++;
          this.#ears.refused();
        }
        const delayMs = this.#delayMs(error, attempt, refusals, call.number);
        if (delayMs === undefined) throw error;
        this.#announce(door, model.providerName, delayMs, refusals);
        pass?.end();
        reservation.settle(account.costSince(before));
        await sleep(delayMs, undefined, { signal });
      } finally {
        pass?.end();
        reservation.settle(account.costSince(before));
      }
    }
  }

  #attempt({ request, model, signal, arrived }: Call, transport: Transport, meter: Meter): Promise<ProviderAnswer> {
    const hears: Call["arrived"] = (characters, content) => {
      meter.arrived(characters);
      arrived(characters, content);
    };
    return this.#inSlot(signal, (inner) => {
      meter.sent();
      return transport.send({ request, model, signal: inner, arrived: hears });
    });
  }

  /** Closes what transports hold open. */
  async close(): Promise<void> {
    const doors = await Promise.allSettled(this.#doors.values());
    this.#doors.clear();
    for (const door of doors) if (door.status === "fulfilled") await door.value.transport.close?.();
  }

  /** Says until when a provider makes everybody wait, once per wait. */
  #announce(door: Door, provider: string, delayMs: number, refusals: number): void {
    const untilMs = performance.now() + delayMs;
    if (refusals === 0 || delayMs < WORTH_A_WORD_MS || untilMs <= door.announcedMs + WORTH_A_WORD_MS) return;
    door.announcedMs = untilMs;
    const end = new Date(Date.now() + delayMs).toTimeString().slice(0, 8);
    this.#ears.wait(`${provider} says 429 (too many requests): waiting ${Math.ceil(delayMs / 1000)} s, until ${end}`);
  }

  /** How long to wait before another attempt; undefined to give up. Refusals have a count of their own. */
  #delayMs(error: unknown, attempt: number, refusals: number, number: number): number | undefined {
    const { retries, backoffMs = 500 } = this.#options;
    if (!(error instanceof ModelError) || !mayPass(error)) return undefined;
    const refused = error.status === 429;
    return retryDelayMs(error, refused ? refusals - 1 : attempt - refusals, number, {
      retries: refused ? MAX_REFUSALS : retries,
      baseMs: backoffMs,
      maxMs: LONGEST_WAIT_MS,
      retryable: () => true,
    });
  }

  /**
   * Runs one attempt in a slot of the process-wide limit, so that nested fan-outs never add up, and in one of this
   * gateway's own. In that order: who has the second has all it needs.
   */
  async #inSlot<Value>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const { concurrency } = this.#options;
    const [result] = await parallelMap(
      [0],
      async (_, task) => {
        if (!(await this.#slots.acquire(task.signal))) throw task.signal.reason;
        try {
          return await this.#inTime(task.signal, work);
        } finally {
          this.#slots.release();
        }
      },
      // Retries are counted outside the slot.
      { signal, limit: concurrency, retry: { retries: 0 } },
    );
    if (result.status === "ok") return result.value;
    throw result.status === "cancelled" ? result.reason : result.error;
  }

  async #inTime<Value>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const { timeoutMs } = this.#options;
    if (timeoutMs <= 0) return work(signal);
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await work(AbortSignal.any([signal, limit]));
    } catch (error) {
      if (signal.aborted || !limit.aborted) throw error;
      throw new ModelError("ModelTimeout", `no answer within ${timeoutMs} ms`);
    }
  }

  #door(model: ChosenModel): Promise<Door> {
    const { providerName, provider } = model;
    let door = this.#doors.get(providerName);
    if (door === undefined) {
      const keyVariables = Object.values(this.#options.models.providers).flatMap((each) =>
        "keyVariable" in each ? (each.keyVariable ?? []) : [],
      );
      door = openTransport(provider, providerName, process.env, keyVariables).then((transport) => ({
        transport,
        pace: new Pace(provider),
        closed: undefined,
        announcedMs: 0,
      }));
      this.#doors.set(providerName, door);
    }
    return door;
  }
}

/** Whether another attempt may do better. After a timeout none is made: the time has been spent, and may have to be paid for. */
function mayPass({ name, status, message }: ModelError): boolean {
  switch (name) {
    case "RateLimited":
    case "ConnectionLost":
      return true;
    case "HttpError":
      return status === undefined || status === 408 || status >= 500;
    case "BadAnswer":
      return !message.includes("baseUrl");
    case "ModelTimeout":
    case "EmptyAnswer":
    case "NoKey":
    case "CommandFailed":
    case "NotRecorded":
    case "QuotaExhausted":
    case "Refused":
    case "Filtered":
    case "ToolCall":
    case "OverBudget":
      return false;
    default:
      return name satisfies never;
  }
}
