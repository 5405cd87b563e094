import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Body = Readonly<Record<string, unknown>>;

/** What a stand-in says to a request. */
interface Saying {
  readonly status: number;
  readonly json?: unknown;
  /** Events of a stream, written as they are. */
  readonly events?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A provider's interface as it is published: what it takes, and the form of its answers and refusals. */
export interface StandIn {
  readonly path: string;
  /** Why a request is refused, in the provider's words; undefined when it is in order. */
  readonly refuses: (headers: IncomingHttpHeaders, body: Body, query: URLSearchParams) => string | undefined;
  readonly refusal: (message: string) => Saying;
  readonly answer: (body: Body) => Saying;
}

export const KEY = "sk-stand-in-123456";

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const openaiError = (message: string): Saying => ({
  status: 400,
  json: { error: { message, type: "invalid_request_error", param: null, code: null } },
});
const bearer = (headers: IncomingHttpHeaders) =>
  headers.authorization === `Bearer ${KEY}` ? undefined : "Incorrect API key provided";
const unknownField = (body: Body, known: readonly string[]) => {
  const strange = Object.keys(body).find((name) => !known.includes(name));
  return strange === undefined ? undefined : `Unrecognized request argument supplied: ${strange}`;
};

/** Chunks of the OpenAI protocol: a role, thoughts under the provider's name for them, text, an end, the count of tokens. */
function completion(thoughts: Body, more: { readonly first?: unknown; readonly usage?: Body } = {}): Saying {
  const chunk = (delta: Body, finish: string | null = null) =>
    data({
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
      usage: null,
    });
  return {
    status: 200,
    events: [
      ...(more.first === undefined ? [] : [data(more.first)]),
      chunk({ role: "assistant", content: "" }),
      ...(Object.keys(thoughts).length === 0 ? [] : [chunk(thoughts)]),
      chunk({ content: "four " }),
      chunk({ content: "words" }),
      chunk({}, "stop"),
      data({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, ...more.usage } }),
      "data: [DONE]\n\n",
    ],
  };
}

const chatFields = ["model", "messages", "temperature", "stream", "stream_options", "response_format"];

/** Seven interfaces and one that only differs in its key. */
export const standIns: Readonly<Record<string, StandIn>> = {
  openai: {
    path: "/openai/v1/chat/completions",
    refuses: (headers, body) =>
      bearer(headers) ??
      ("max_tokens" in body
        ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        : unknownField(body, [...chatFields, "max_completion_tokens", "reasoning_effort"])),
    refusal: openaiError,
    answer: () => completion({}, { usage: { completion_tokens_details: { reasoning_tokens: 3 } } }),
  },
  azure: {
    path: "/azure/openai/v1/chat/completions",
    refuses: (headers, body, query) =>
      headers["api-key"] !== KEY || headers.authorization !== undefined
        ? "Access denied due to invalid subscription key"
        : query.get("api-version") !== "preview"
          ? "Missing required query parameter: api-version"
          : unknownField(body, [...chatFields, "max_completion_tokens", "reasoning_effort"]),
    refusal: openaiError,
    answer: () => completion({}, { first: { choices: [], prompt_filter_results: [{ prompt_index: 0 }] } }),
  },
  openrouter: {
    path: "/openrouter/api/v1/chat/completions",
    refuses: (headers, body) =>
      bearer(headers) ?? unknownField(body, [...chatFields, "max_tokens", "reasoning", "usage"]),
    refusal: (message) => ({ status: 200, json: { error: { message, code: 400 } } }),
    answer: () => {
      const { events = [], status } = completion({ reasoning: "hm" }, { usage: { cost: 0.0042 } });
      return { status, events: [": OPENROUTER PROCESSING\n\n", ...events] };
    },
  },
  google: {
    path: "/google/v1beta/openai/chat/completions",
    refuses: (headers, body) =>
      bearer(headers) ?? unknownField(body, [...chatFields, "max_tokens", "reasoning_effort"]),
    refusal: (message) => ({ status: 400, json: [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }] }),
    answer: () => completion({}),
  },
  ollama: {
    path: "/ollama/v1/chat/completions",
    refuses: (headers, body) =>
      headers.authorization !== undefined
        ? "no key is wanted"
        : unknownField(body, [...chatFields, "max_tokens", "reasoning_effort"]),
    refusal: (message) => ({ status: 404, json: { error: { message, type: "api_error", param: null, code: null } } }),
    answer: () => completion({ reasoning: "hm" }),
  },
  "llama.cpp": {
    path: "/llama/v1/chat/completions",
    refuses: (_headers, body) => unknownField(body, [...chatFields, "max_tokens", "chat_template_kwargs"]),
    refusal: (message) => ({ status: 400, json: { error: { code: 400, message, type: "invalid_request_error" } } }),
    answer: () => completion({ reasoning_content: "hm" }, { usage: {} }),
  },
  vllm: {
    path: "/vllm/v1/chat/completions",
    refuses: (_headers, body) => unknownField(body, [...chatFields, "max_tokens", "reasoning_effort"]),
    refusal: (message) => ({
      status: 400,
      json: { object: "error", message, type: "BadRequestError", param: null, code: 400 },
    }),
    answer: () => completion({ reasoning_content: "hm" }),
  },
  anthropic: {
    path: "/anthropic/v1/messages",
    refuses: (headers, body) =>
      headers["x-api-key"] !== KEY
        ? "invalid x-api-key"
        : headers["anthropic-version"] !== "2023-06-01"
          ? "anthropic-version: header is required"
          : typeof body.max_tokens !== "number"
            ? "max_tokens: Field required"
            : (body.messages as readonly { role: string }[]).some(({ role }) => role === "system")
              ? 'messages: Unexpected role "system"'
              : unknownField(body, [
                  "model",
                  "max_tokens",
                  "system",
                  "messages",
                  "temperature",
                  "output_config",
                  "stream",
                ]),
    refusal: (message) => ({ status: 400, json: { type: "error", error: { type: "invalid_request_error", message } } }),
    answer: () => {
      const event = (type: string, more: Body) => `event: ${type}\n${data({ type, ...more })}`;
      return {
        status: 200,
        events: [
          event("message_start", {
            message: { content: [], usage: { input_tokens: 9, cache_read_input_tokens: 2, output_tokens: 1 } },
          }),
          event("content_block_start", { index: 0, content_block: { type: "thinking", thinking: "" } }),
          event("ping", {}),
          event("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "hm" } }),
          event("content_block_delta", { index: 0, delta: { type: "signature_delta", signature: "xyz" } }),
          event("content_block_stop", { index: 0 }),
          event("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
          event("content_block_delta", { index: 1, delta: { type: "text_delta", text: "four " } }),
          event("content_block_delta", { index: 1, delta: { type: "text_delta", text: "words" } }),
          event("content_block_stop", { index: 1 }),
          event("message_delta", {
            delta: { stop_reason: "end_turn", stop_sequence: null },
            usage: { output_tokens: 7 },
          }),
          event("message_stop", {}),
        ],
      };
    },
  },
};

/** All of them behind one address, each at its own path. */
export async function startStandIns() {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const standIn = Object.values(standIns).find(({ path }) => path === url.pathname);
    const body = JSON.parse(await text(request)) as Body;
    const refused = standIn?.refuses(request.headers, body, url.searchParams);
    const saying: Saying =
      standIn === undefined
        ? { status: 404, json: { error: { message: `nothing at ${url.pathname}` } } }
        : refused === undefined
          ? standIn.answer(body)
          : standIn.refusal(refused);
    const type = saying.events === undefined ? "application/json" : "text/event-stream";
    response.writeHead(saying.status, { "content-type": type, ...saying.headers });
    response.end(saying.events?.join("") ?? JSON.stringify(saying.json));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
