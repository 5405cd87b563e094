import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import { Stream } from "openai/core/streaming";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { ModelError } from "../consultation.ts";
import type { HttpProvider } from "../models-file.ts";
import { ChatAnswer, chatBody, type Said, wholeAnswer } from "./chat-protocol.ts";
import { oneLine, refusal, waitHeaders } from "./refusal.ts";
import type { Attempt, Transport } from "./transport.ts";

/** The longest wait a timer can keep: time limits are the gateway's business, not the client's. */
const NEVER_MS = 2 ** 31 - 1;

/** More than any model says; a server that never stops is given up, whether it answers or refuses. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Any server that speaks the OpenAI protocol. */
export class HttpTransport implements Transport {
  readonly #client: OpenAI;
  readonly #key: string | undefined;

  constructor({ baseUrl }: HttpProvider, key: string | undefined) {
    this.#key = key;
    this.#client = new OpenAI({
      baseURL: baseUrl,
      // The client insists on one; without a key no such header is sent.
      apiKey: key ?? "none",
      defaultHeaders: key === undefined ? { authorization: null } : {},
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: NEVER_MS,
      logLevel: "off",
      fetch: async (url, init) => bounded(await fetch(url, init)),
    });
  }

  async send(attempt: Attempt): Promise<Said> {
    try {
      return await this.#send(attempt);
    } catch (error) {
      attempt.signal.throwIfAborted();
      throw this.#explained(error);
    }
  }

  async #send({ request, model, signal, arrived }: Attempt): Promise<Said> {
    // The body has fields the client's types do not know; they are sent as they are.
    const body = chatBody(request, model) as unknown as ChatCompletionCreateParamsNonStreaming;
    const response = await this.#client.chat.completions.create(body, { signal }).asResponse();
    const type = (response.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
    if (type === "text/event-stream") return this.#streamed(response, signal, arrived);
    if (type === "application/json" || type.endsWith("+json")) return wholeAnswer(await jsonOf(response));
    await response.body?.cancel();
    throw new ModelError(
      "BadAnswer",
      `the server answered with ${type === "" ? "no content type" : type} instead of JSON: is its baseUrl right?`,
    );
  }

  async #streamed(response: Response, signal: AbortSignal, arrived: Attempt["arrived"]): Promise<Said> {
    const controller = new AbortController();
    const answer = new ChatAnswer();
    // As events: errors in the stream are answers of the provider too, with what was counted until then.
    const events = Stream.fromSSEResponse<unknown>(response, controller, this.#client, false, "events");
    for await (const chunk of events) {
      answer.add(chunk);
      arrived(answer.characters, answer.content);
    }
    // An aborted stream ends like a complete one.
    signal.throwIfAborted();
    return answer.streamed();
  }

  /** What went wrong, in our own terms and without the key, whoever repeated it. */
  #explained(error: unknown): unknown {
    if (error instanceof ModelError) return error;
    if (error instanceof SyntaxError)
      return new ModelError("BadAnswer", "the answer is not valid JSON", { counted: {} });
    if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
      return new ModelError("ConnectionLost", "the connection was given up");
    }
    if (error instanceof APIConnectionError) {
      return new ModelError("ConnectionLost", this.#withoutKey(`no connection: ${causeOf(error)}`));
    }
    if (error instanceof APIError) return this.#refusal(error);
    // What fetch throws when a connection breaks while the body is read.
    if (error instanceof TypeError) {
      return new ModelError("ConnectionLost", this.#withoutKey(`the connection broke off: ${causeOf(error)}`));
    }
    return error;
  }

  #refusal({ status, headers, message, code, type }: APIError): ModelError {
    return refusal(oneLine(this.#withoutKey(message)), {
      ...(typeof status === "number" ? { status } : {}),
      codes: [code, type].filter((each) => typeof each === "string"),
      headers: waitHeaders(headers),
    });
  }

  #withoutKey(text: string): string {
    return this.#key === undefined || this.#key === "" ? text : text.replaceAll(this.#key, "[key]");
  }
}

/** The same response, which fails once more has come than anybody says. */
function bounded(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes <= MOST_BYTES) controller.enqueue(chunk);
      else controller.error(new ModelError("BadAnswer", `the server sent more than ${MOST_BYTES / 2 ** 20} MiB`));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}

async function jsonOf(response: Response): Promise<unknown> {
  return JSON.parse(await response.text());
}

/** The innermost reason: `ECONNREFUSED` says more than `fetch failed`. */
function causeOf(error: Error): string {
  let reason = error;
  while (reason.cause instanceof Error) reason = reason.cause;
  const code = "code" in reason ? String(reason.code) : undefined;
  return code ?? reason.message;
}
