import { encode } from "@coppice/engine/values";
import { type ChosenModel, findModel } from "./choose-model.ts";
import { type ModelAnswer, ModelError, type ModelRequest, requestHash } from "./consultation.ts";
import { Budget } from "./money/budget.ts";
import { CallAccount } from "./money/call-account.ts";
import { addCharges, type Charge, type Spending } from "./money/charge.ts";
import { type Call, Sender, type SendingOptions } from "./sender.ts";
import { Recorder, recordingIn } from "./transport/recording.ts";

/** What models are asked with; plain data without keys, written into `run.json`. */
export interface ConsultContext extends SendingOptions {
  /** Where the models come from, for messages. */
  readonly place: string;
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
  readonly arrived?: Call["arrived"];
}

/** How often an answer that was cut is continued. */
const MAX_CONTINUATIONS = 4;

/**
 * The one way to models: finds the model, has the request sent, goes on with an answer that was cut, records or replays,
 * and counts what it cost. Everything asked through one gateway shares its limits and its budget.
 */
export class Gateway {
  readonly #options: ConsultContext;
  readonly #sender: Sender;
  readonly #models = new Map<string, ChosenModel>();
  readonly #recorder: Recorder | undefined;
  readonly #recorded: ((key: string) => ModelAnswer) | undefined;
  readonly budget = new Budget();
  /** Hears one line when a provider makes requests wait. */
  onWait: (line: string) => void = () => {};
  /** Hears the text of every answer as it grows, by the key of its request. */
  onText: (key: string, content: string) => void = () => {};
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
    this.#sender = new Sender(options, this.budget, {
      wait: (line) => this.onWait(line),
      refused: () => {
        this.#spending.refusals++;
      },
    });
    this.#recorder = options.record === undefined ? undefined : new Recorder(options.record);
    this.#recorded = options.replay === undefined ? undefined : recordingIn(options.replay);
  }

  spending(): Spending {
    return { ...this.#spending };
  }

  /** Asks a model; rejects with a {@link ModelError}, or with the signal's reason when that is aborted. */
  async ask(request: ModelRequest, options: AskOptions): Promise<ModelAnswer> {
    const key = options.key ?? requestHash(request);
    if (this.#recorded !== undefined) return this.#replayed(this.#recorded(key));
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
    const account = new CallAccount(request, model.price);
    this.#spending.asked++;
    const startedAt = performance.now();
    try {
      const said = await this.#sender.send({ request, model, signal, arrived, number: this.#number++, account });
      this.#spending.answered++;
      return { ...said, ...account.charge, ms: Math.round(performance.now() - startedAt) };
    } catch (error) {
      if (signal.aborted) {
        this.#spending.aborted++;
        this.#spending.wasted += account.charge.cost ?? 0;
      } else {
        this.#spending.failed++;
        if (error instanceof ModelError && Object.keys(account.charge).length > 0) error.data = account.charge;
      }
      throw error;
    } finally {
      if (!signal.aborted) this.#count(account.charge);
    }
  }

  /** Closes what is open to providers. */
  async close(): Promise<void> {
    await this.#sender.close();
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
