import { ModelError } from "../consultation.ts";
import type { HttpProvider } from "../models-file.ts";
import { kindOf } from "../providers/kinds.ts";
import type { ProviderKind } from "../providers/provider-kind.ts";
import { ChatAnswer, type ProviderAnswer, requestBody } from "./chat-protocol.ts";
import { MessageEvents, messageAsCompletion } from "./messages-protocol.ts";
import { oneLine, refusal, waitHeaders } from "./refusal.ts";
import { eventsIn } from "./server-sent-events.ts";
import type { Attempt, Transport } from "./transport.ts";

/** More than any model says; a server that never stops is given up, whether it answers or refuses. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A server that is asked over HTTP, in the OpenAI protocol or in Anthropic's. */
export class HttpTransport implements Transport {
  readonly #kind: ProviderKind;
  readonly #address: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #key: string | undefined;

  constructor(provider: HttpProvider, key: string | undefined) {
    this.#kind = kindOf(provider);
    this.#key = key;
    this.#address = addressOf(provider);
    const { keyHeader } = this.#kind;
    const own: Record<string, string> =
      key === undefined ? {} : keyHeader === undefined ? { authorization: `Bearer ${key}` } : { [keyHeader]: key };
    this.#headers = { "content-type": "application/json", ...this.#kind.headers, ...provider.headers, ...own };
  }

  async send(attempt: Attempt): Promise<ProviderAnswer> {
    try {
      return await this.#send(attempt);
    } catch (error) {
      attempt.signal.throwIfAborted();
      throw this.#explained(error);
    }
  }

  async #send({ request, model, signal, arrived }: Attempt): Promise<ProviderAnswer> {
    const body = JSON.stringify(requestBody(request, model));
    const response = bounded(await this.#fetched(body, signal));
    if (!response.ok) throw await this.#refusal(response);
    const type = (response.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
    if (type === "text/event-stream") return this.#streamed(response, signal, arrived);
    if (type === "application/json" || type.endsWith("+json")) return this.#whole(JSON.parse(await response.text()));
    await response.body?.cancel();
    throw new ModelError(
      "BadAnswer",
      `the server answered with ${type === "" ? "no content type" : type} instead of JSON: is its baseUrl right?`,
    );
  }

  async #fetched(body: string, signal: AbortSignal): Promise<Response> {
    try {
      // Whoever a redirect names would be given the prompt, and a key that is not in the usual header.
      const redirect = "manual";
      return await fetch(this.#address, { method: "POST", headers: this.#headers, body, signal, redirect });
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof Error ? causeOf(error) : String(error);
      throw new ModelError("ConnectionLost", this.#withoutKey(`no connection to ${this.#address.origin}: ${why}`));
    }
  }

  #whole(body: unknown): ProviderAnswer {
    const answer = new ChatAnswer();
    const found = answer.add(this.#kind.path === "/messages" ? messageAsCompletion(body) : body);
    if (!found) throw new ModelError("BadAnswer", "the answer has no choices", { counted: {} });
    return answer.finished();
  }

  async #streamed(response: Response, signal: AbortSignal, arrived: Attempt["arrived"]): Promise<ProviderAnswer> {
    const answer = new ChatAnswer();
    const messages = this.#kind.path === "/messages" ? new MessageEvents() : undefined;
    for await (const event of response.body === null ? [] : eventsIn(response.body)) {
      answer.add(messages === undefined ? event : messages.asChunk(event));
      arrived(answer.characters, answer.content);
    }
    // An aborted stream ends like a complete one.
    signal.throwIfAborted();
    return answer.streamed();
  }

  async #refusal(response: Response): Promise<ModelError> {
    const text = await response.text();
    const elsewhere = response.headers.get("location");
    const { message, codes } =
      elsewhere === null
        ? refusalIn(text, this.#kind)
        : { message: `it redirects to ${elsewhere}, which is not followed: is its baseUrl right?`, codes: [] };
    return refusal(oneLine(this.#withoutKey(`${response.status} ${message}`)), {
      status: response.status,
      codes,
      headers: waitHeaders(response.headers),
    });
  }

  /** What went wrong, in our own terms and without the key, whoever repeated it. */
  #explained(error: unknown): unknown {
    if (error instanceof ModelError)
      return this.#withoutKey(error.message) === error.message ? error : this.#cleaned(error);
    if (error instanceof SyntaxError) {
      return new ModelError("BadAnswer", "the answer is not valid JSON", { counted: {} });
    }
    // What fetch throws when a connection breaks while the body is read.
    if (error instanceof TypeError) {
      return new ModelError("ConnectionLost", this.#withoutKey(`the connection broke off: ${causeOf(error)}`));
    }
    return error;
  }

  #cleaned({ name, message, status, headers, counted }: ModelError): ModelError {
    return new ModelError(name, this.#withoutKey(message), {
      headers,
      ...(status === undefined ? {} : { status }),
      ...(counted === undefined ? {} : { counted }),
    });
  }

  #withoutKey(text: string): string {
    return this.#key === undefined || this.#key === "" ? text : text.replaceAll(this.#key, "[key]");
  }
}

/** Where a provider's requests go. */
export function addressOf(provider: HttpProvider): URL {
  const address = new URL(provider.baseUrl);
  address.pathname = `${address.pathname.replace(/\/+$/, "")}${kindOf(provider).path}`;
  for (const [name, value] of Object.entries(provider.query ?? {})) address.searchParams.set(name, value);
  return address;
}

/** What a refusal says, however it is put; a web page is cut short. */
function refusalIn(text: string, kind: ProviderKind): { readonly message: string; readonly codes: string[] } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { message: text.trim() === "" ? "no message" : text, codes: [] };
  }
  const { error } = (kind.refusal?.(body) ?? body ?? {}) as { readonly error?: unknown };
  if (typeof error === "string") return { message: error, codes: [] };
  const { message, code, type, status } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return {
    message: typeof message === "string" ? message : text,
    codes: [code, type, status].filter((each) => typeof each === "string"),
  };
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

/** The innermost reason: `ECONNREFUSED` says more than `fetch failed`, and `other side closed` more than `UND_ERR_SOCKET`. */
function causeOf(error: Error): string {
  let reason = error;
  while (reason.cause instanceof Error) reason = reason.cause;
  const code = "code" in reason ? String(reason.code) : "UND_ERR";
  return code.startsWith("UND_ERR") ? reason.message : code;
}
