import { setTimeout as sleep } from "node:timers/promises";
import { Limiter, parallelMap, retryDelayMs } from "@coppice/engine/parallel-map";
import { encode } from "@coppice/engine/values";
import { type ChosenModel, findModel } from "./choose-model.ts";
import { type ModelAnswer, ModelError, type ModelRequest, requestHash } from "./consultation.ts";
import type { ModelsFile } from "./models-file.ts";
import { Budget } from "./money/budget.ts";
import {
  addCharges,
  type Charge,
  chargeOf,
  estimatedTokens,
  expectation,
  expectedTokens,
  type Spending,
} from "./money/charge.ts";
import { Pace, type Pass } from "./pace/request-pace.ts";
import type { Said } from "./transport/chat-protocol.ts";
import { Recorder, Recording } from "./transport/recording.ts";
import type { Transport } from "./transport/transport.ts";
import { openTransport } from "./transport/transport.ts";

/** What models are asked with; plain data without keys, written into `run.json`. */
export interface ConsultContext {
  readonly models: ModelsFile;
  /** Where the models come from, for messages. */
  readonly place: string;
  /** Limit of one attempt. */
  readonly timeoutMs: number;
  /** Further attempts after a failure that may pass (5xx, a lost connection, a broken answer). */
  readonly retries: number;
  /** Wait before the first retry; doubles each time. Default 500. */
  readonly backoffMs?: number;
  /** Requests of this process under way at once. */
  readonly concurrency: number;
  /** Asks for the rest of answers that were cut off. */
  readonly continueCut?: boolean;
  /** A file that every answer is added to. */
  readonly record?: string;
  /** A file that answers instead of any provider. */
  readonly replay?: string;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Name of the request in a recording; default: its hash. */
  readonly key?: string;
  /** Hears how many characters have come so far, thoughts included, and the text without them. */
  readonly arrived?: (characters: number, content: string) => void;
}

/** How often a request may be told to slow down (429) before it is given up. */
const MAX_REFUSALS = 20;
/** A provider that asks for more patience than this is not asked again. */
const LONGEST_WAIT_MS = 60_000;
/** Shorter waits are not worth a word. */
const WORTH_A_WORD_MS = 1000;
/** How often an answer that was cut is continued. */
const MAX_CONTINUATIONS = 4;

interface Door {
  readonly transport: Transport;
  readonly pace: Pace;
  /** Why nothing more is sent there. */
  closed: ModelError | undefined;
  /** Until when people know that it makes everybody wait, on `performance.now()`. */
  announcedMs: number;
}

/**
 * The one way to models: finds the provider, keeps its pace and the process-wide limit of waiting work, tries again what
 * may pass, and counts what it cost. Everything asked through one gateway shares these.
 */
export class Gateway {
  readonly #options: ConsultContext;
  readonly #doors = new Map<string, Promise<Door>>();
  readonly #models = new Map<string, ChosenModel>();
  readonly #recorder: Recorder | undefined;
  readonly #recording: Recording | undefined;
  readonly budget = new Budget();
  /** Hears one line when a provider makes requests wait. */
  onWait: (line: string) => void = () => {};
  /** Hears the text of every answer as it grows, by the key of its request. */
  onText: (key: string, content: string) => void = () => {};
  readonly #slots: Limiter;
  #number = 0;
  readonly #spending = {
    asked: 0,
    answered: 0,
    failed: 0,
    promptTokens: 0,
    answerTokens: 0,
    cost: 0,
    wasted: 0,
    aborted: 0,
    refusals: 0,
  };

  constructor(options: ConsultContext) {
    this.#options = options;
    this.#slots = new Limiter(options.concurrency);
    this.#recorder = options.record === undefined ? undefined : new Recorder(options.record);
    this.#recording = options.replay === undefined ? undefined : new Recording(options.replay);
  }

  spending(): Spending {
    return { ...this.#spending };
  }

  /** Asks a model; rejects with a {@link ModelError}, or with the signal's reason when that is aborted. */
  async ask(request: ModelRequest, options: AskOptions): Promise<ModelAnswer> {
    const key = options.key ?? requestHash(request);
    if (this.#recording !== undefined) return this.#replayed(this.#recording.answer(key));
    try {
      const answer = await this.#wholeAnswer(request, key, options);
      this.#recorder?.answered(key, request, answer);
      return answer;
    } catch (error) {
      if (error instanceof ModelError) this.#recorder?.failed(key, request, error);
      throw error;
    }
  }

  #replayed(answer: ModelAnswer): ModelAnswer {
    this.#spending.asked++;
    this.#spending.answered++;
    this.#count(answer);
    return answer;
  }

  /** The answer to a request; one that was cut is continued where that is wanted. */
  async #wholeAnswer(request: ModelRequest, key: string, options: AskOptions): Promise<ModelAnswer> {
    const { arrived } = options;
    const hears = (before: string) => ({
      ...options,
      arrived: (characters: number, content: string) => {
        arrived?.(characters, before + content);
        this.onText(key, before + content);
      },
    });
    let answer = await this.#asked(request, hears(""));
    for (let more = 0; this.#options.continueCut === true && more < MAX_CONTINUATIONS; more++) {
      if (answer.unfinished !== "cut") break;
      const rest = await this.#asked(continuation(request, answer.content), hears(answer.content)).catch(ofNoUse);
      answer =
        rest instanceof ModelError ? { ...answer, ...addCharges(answer, rest.data ?? {}) } : continued(answer, rest);
      if (rest instanceof ModelError) break;
    }
    return answer;
  }

  async #asked(request: ModelRequest, options: AskOptions): Promise<ModelAnswer> {
    const model = this.#model(request.model);
    const { signal, arrived = () => {} } = options;
    const call: Call = { request, model, signal, arrived, number: this.#number++, charge: {} };
    this.#spending.asked++;
    const startedAt = performance.now();
    try {
      const said = await this.#withRetries(call);
      this.#spending.answered++;
      return { ...said, ...call.charge, ms: Math.round(performance.now() - startedAt) };
    } catch (error) {
      if (signal.aborted) {
        this.#spending.aborted++;
        this.#spending.wasted += call.charge.cost ?? 0;
      } else {
        this.#spending.failed++;
        if (error instanceof ModelError && Object.keys(call.charge).length > 0) error.data = call.charge;
      }
      throw error;
    } finally {
      if (!signal.aborted) this.#count(call.charge);
    }
  }

  /** Closes what transports hold open. */
  async close(): Promise<void> {
    const doors = await Promise.allSettled(this.#doors.values());
    this.#doors.clear();
    for (const door of doors) if (door.status === "fulfilled") await door.value.transport.close?.();
  }

  async #withRetries(call: Call): Promise<Said> {
    const { request, model, signal } = call;
    const door = await this.#door(model);
    let refusals = 0;
    for (let attempt = 0; ; attempt++) {
      const reservation = await this.budget.reserve(expectation(request, model.price), signal);
      const before = call.charge;
      let pass: Pass | undefined;
      try {
        pass = await door.pace.enter(signal);
        if (door.closed !== undefined) throw door.closed;
        return await this.#attempt(call, door.transport);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ModelError && error.name === "QuotaExhausted") door.closed = error;
        if (error instanceof ModelError && error.name === "RateLimited") {
          pass?.refused();
          refusals++;
          this.#spending.refusals++;
        }
        const delayMs = this.#delayMs(error, attempt, refusals, call.number);
        if (delayMs === undefined) throw error;
        this.#announce(door, model.providerName, delayMs, refusals);
        pass?.end();
        reservation.settle(costSince(before, call.charge));
        await sleep(delayMs, undefined, { signal });
      } finally {
        pass?.end();
        reservation.settle(costSince(before, call.charge));
      }
    }
  }

  /** Sends once, and puts on the call's account what that cost, whatever came of it. */
  async #attempt(call: Call, transport: Transport): Promise<Said> {
    const { request, model, signal } = call;
    let [characters, sent] = [0, false];
    const charge = (said: Pick<ModelAnswer, "usage" | "cost">, answerTokens: number) => {
      call.charge = addCharges(call.charge, chargeOf(said, request, answerTokens, model.price));
    };
    try {
      const arrived: Call["arrived"] = (count, content) => {
        characters = count;
        call.arrived(count, content);
      };
      const said = await this.#inSlot(signal, (inner) => {
        sent = true;
        return transport.send({ request, model, signal: inner, arrived });
      });
      charge(said, estimatedTokens(said.content.length + said.reasoning.length));
      return said;
    } catch (error) {
      const timedOut = error instanceof ModelError && error.name === "ModelTimeout";
      const counted = error instanceof ModelError ? error.counted : undefined;
      // An answer that was under way may be billed although nobody has it; of one that was stopped, what had come.
      const underWay = characters > 0 || (sent && (timedOut || signal.aborted));
      const come = characters > 0 || signal.aborted ? estimatedTokens(characters) : expectedTokens(request);
      if (counted !== undefined || underWay) charge(counted ?? {}, come);
      throw error;
    }
  }

  /** Says until when a provider makes everybody wait, once per wait. */
  #announce(door: Door, provider: string, delayMs: number, refusals: number): void {
    const untilMs = performance.now() + delayMs;
    if (refusals === 0 || delayMs < WORTH_A_WORD_MS || untilMs <= door.announcedMs + WORTH_A_WORD_MS) return;
    door.announcedMs = untilMs;
    const end = new Date(Date.now() + delayMs).toTimeString().slice(0, 8);
    this.onWait(`${provider} says 429 (too many requests): waiting ${Math.ceil(delayMs / 1000)} s, until ${end}`);
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

  #model(name: string): ChosenModel {
    let model = this.#models.get(name);
    if (model === undefined) {
      model = findModel(this.#options.models, name, this.#options.place);
      this.#models.set(name, model);
    }
    return model;
  }

  #count({ usage, cost }: Charge): void {
    this.#spending.promptTokens += usage?.promptTokens ?? 0;
    this.#spending.answerTokens += usage?.answerTokens ?? 0;
    this.#spending.cost += cost ?? 0;
  }
}

/** A request on its way through its attempts, and what they have cost so far. */
interface Call {
  readonly request: ModelRequest;
  readonly model: ChosenModel;
  readonly signal: AbortSignal;
  readonly arrived: NonNullable<AskOptions["arrived"]>;
  readonly number: number;
  charge: Charge;
}

function costSince(before: Charge, after: Charge): number | undefined {
  return after.cost === undefined ? undefined : after.cost - (before.cost ?? 0);
}

/** Asks for the rest of an answer that was cut. */
function continuation(request: ModelRequest, so: string): ModelRequest {
  const asked =
    "Your answer was cut off. Go on exactly where it stopped, without repeating anything and without a remark.";
  return {
    ...request,
    messages: [...request.messages, { role: "assistant", content: so }, { role: "user", content: asked }],
  };
}

/** What was answered before stays, whatever became of the rest. */
function ofNoUse(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  throw error;
}

function continued(first: ModelAnswer, rest: ModelAnswer): ModelAnswer {
  const { content, reasoning, unfinished, ms } = rest;
  return {
    content: first.content + content,
    reasoning: first.reasoning + reasoning,
    ...(unfinished === undefined ? {} : { unfinished }),
    ...addCharges(first, rest),
    ms: first.ms + ms,
  };
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

const open = new Map<string, Gateway>();

/** The gateway of this process for a context: all workers and all runs with the same one share limits and budget. */
export function gatewayFor(context: ConsultContext): Gateway {
  const key = encode(context);
  const gateway = open.get(key) ?? new Gateway(context);
  open.set(key, gateway);
  return gateway;
}

/** Closes a context's gateway and says what was spent through it; the next use opens another. */
export async function closeGateway(context: ConsultContext): Promise<Spending | undefined> {
  const key = encode(context);
  const gateway = open.get(key);
  open.delete(key);
  await gateway?.close();
  return gateway?.spending();
}
