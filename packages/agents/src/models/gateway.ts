import { setTimeout as sleep } from "node:timers/promises";
import { MapTimeout, parallelMap, retryDelayMs } from "@coppice/engine/parallel-map";
import { encode } from "@coppice/engine/values";
import { Budget } from "./budget.ts";
import { type ChosenModel, findModel } from "./choose-model.ts";
import { type ModelAnswer, ModelError, type ModelRequest, requestHash } from "./consultation.ts";
import type { ModelsFile } from "./models-file.ts";
import { Pace } from "./pace/request-pace.ts";
import { abortedCost, costOf, expectedCost, type Spending } from "./spending.ts";
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
  /** A file that every answer is added to. */
  readonly record?: string;
  /** A file that answers instead of any provider. */
  readonly replay?: string;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Name of the request in a recording; default: its hash. */
  readonly key?: string;
  readonly arrived?: (characters: number) => void;
}

/** How often a request may be told to slow down (429) before it is given up. */
const MAX_REFUSALS = 20;
/** A provider that asks for more patience than this is not asked again. */
const LONGEST_WAIT_MS = 60_000;

interface Door {
  readonly transport: Transport;
  readonly pace: Pace;
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
      const answer = await this.#asked(request, options);
      this.#recorder?.answered(key, request, answer);
      return answer;
    } catch (error) {
      if (error instanceof ModelError) this.#recorder?.failed(key, request, error);
      throw error;
    }
  }

  #replayed(answer: ModelAnswer): ModelAnswer {
    this.#spending.asked++;
    this.#count(answer, answer.cost ?? 0);
    return answer;
  }

  async #asked(request: ModelRequest, { signal, arrived = () => {} }: AskOptions): Promise<ModelAnswer> {
    const model = this.#model(request.model);
    const reservation = await this.budget.reserve(expectedCost(request, model.price), signal);
    this.#spending.asked++;
    let characters = 0;
    let cost = 0;
    let answered = false;
    const startedAt = performance.now();
    try {
      const said = await this.#withRetries(request, model, signal, (count) => {
        characters = count;
        arrived(count);
      });
      const paid = costOf(said, model.price);
      cost = paid ?? 0;
      answered = true;
      this.#count(said, cost);
      return { ...said, ...(paid === undefined ? {} : { cost: paid }), ms: Math.round(performance.now() - startedAt) };
    } catch (error) {
      if (signal.aborted) {
        cost = abortedCost(request, characters, model.price);
        this.#spending.aborted++;
        this.#spending.wasted += cost;
      } else this.#spending.failed++;
      throw error;
    } finally {
      reservation.settle(cost, answered);
    }
  }

  /** Closes what transports hold open. */
  async close(): Promise<void> {
    const doors = await Promise.allSettled(this.#doors.values());
    this.#doors.clear();
    for (const door of doors) if (door.status === "fulfilled") await door.value.transport.close?.();
  }

  async #withRetries(
    request: ModelRequest,
    model: ChosenModel,
    signal: AbortSignal,
    arrived: (characters: number) => void,
  ): Promise<Omit<ModelAnswer, "ms">> {
    const { pace, transport } = await this.#door(model);
    const number = this.#number++;
    let refusals = 0;
    for (let attempt = 0; ; attempt++) {
      const pass = await pace.enter(signal);
      try {
        return await this.#inSlot(signal, (inner) => transport.send({ request, model, signal: inner, arrived }));
      } catch (error) {
        signal.throwIfAborted();
        const refused = error instanceof ModelError && error.status === 429;
        if (refused) {
          pass.refused();
          refusals++;
          this.#spending.refusals++;
        }
        const delayMs = this.#delayMs(error, attempt, refusals, number);
        if (delayMs === undefined) throw error;
        pass.end();
        await sleep(delayMs, undefined, { signal });
      } finally {
        pass.end();
      }
    }
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

  /** Runs one attempt in a slot of the process-wide limit, so that nested fan-outs never add up. */
  async #inSlot<Value>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const { timeoutMs, concurrency } = this.#options;
    const [result] = await parallelMap([0], (_, task) => work(task.signal), {
      signal,
      limit: concurrency,
      // Retries are counted here, outside the slot.
      retry: { retries: 0 },
      ...(timeoutMs > 0 ? { timeoutMs } : {}),
    });
    if (result.status === "ok") return result.value;
    if (result.status === "cancelled") throw result.reason;
    if (result.error instanceof MapTimeout) throw new ModelError("ModelTimeout", `no answer within ${timeoutMs} ms`);
    throw result.error;
  }

  #door(model: ChosenModel): Promise<Door> {
    const { providerName, provider } = model;
    let door = this.#doors.get(providerName);
    if (door === undefined) {
      door = openTransport(provider, providerName, process.env).then((transport) => ({
        transport,
        pace: new Pace(provider),
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

  #count({ usage }: Omit<ModelAnswer, "ms">, cost: number): void {
    this.#spending.answered++;
    this.#spending.promptTokens += usage?.promptTokens ?? 0;
    this.#spending.answerTokens += usage?.answerTokens ?? 0;
    this.#spending.cost += cost;
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

/** Closes a context's gateway; the next use opens another. */
export async function closeGateway(context: ConsultContext): Promise<void> {
  const key = encode(context);
  const gateway = open.get(key);
  open.delete(key);
  await gateway?.close();
}
