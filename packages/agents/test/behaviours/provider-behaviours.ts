import type { AnswerBehaviour, Behaviour } from "../../src/practice-server/behaviour.ts";

/** Something that providers really do, and what must come of it. */
export interface ProviderBehaviour {
  /** As it would be told: `azure says first what its filter thinks`. */
  readonly name: string;
  /** What is done with the first request, the second, …; the last again and again. */
  readonly script: readonly Behaviour[];
  /** What the person sees: in the answer, or as the reason why there is none. */
  readonly sees: RegExp;
  /** Whether there is an answer. */
  readonly answered: boolean;
  /** US dollars at $1,000 and $2,000 per million tokens; `estimated` where nobody counted. */
  readonly charged: number | "estimated";
  /** How often it is sent, with one retry. */
  readonly sent: number;
}

const usage = { prompt_tokens: 10, completion_tokens: 5 };
const ONE = 0.02;
const ok: Behaviour = { kind: "answer", content: "all is well", usage };

const answers = (name: string, more: Partial<AnswerBehaviour> = {}): ProviderBehaviour => ({
  name,
  script: [{ kind: "answer", content: "all is well", usage, ...more }],
  sees: /all is well/,
  answered: true,
  charged: ONE,
  sent: 1,
});

const streams = (name: string, ...events: readonly unknown[]): ProviderBehaviour => ({
  ...answers(name),
  script: [{ kind: "events", events }],
});

const fails = (
  name: string,
  script: Behaviour | readonly Behaviour[],
  sees: RegExp,
  { charged = 0, sent = 1 }: Partial<Pick<ProviderBehaviour, "charged" | "sent">> = {},
): ProviderBehaviour => ({
  name,
  script: "kind" in script ? [script] : script,
  sees,
  answered: false,
  charged,
  sent,
});

/** Goes wrong once and is well when it is asked again. */
const recovers = (name: string, first: Behaviour, charged: ProviderBehaviour["charged"] = ONE): ProviderBehaviour => ({
  ...answers(name),
  script: [first, ok],
  charged,
  sent: 2,
});

const chunk = (delta: unknown, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const said = chunk({ content: "all is well" });
const counted = { choices: [], usage };
const status = (code: number, error?: unknown, more: object = {}): Behaviour => ({
  kind: "status",
  status: code,
  ...(error === undefined ? {} : { error }),
  ...more,
});
const inside = (error: unknown): Behaviour => ({ kind: "json", body: { error } });

/** Some sixty things that providers do; every tool that asks models is tried against all of them. */
export const providerBehaviours: readonly ProviderBehaviour[] = [
  // ── answers ──
  answers("streams its answer word by word"),
  answers("sends its answer in one piece", { pieces: 1 }),
  answers("ignores that a stream was asked for", { whole: true }),
  answers("takes its time to the first byte", { latencyMs: 30, firstByteMs: 30 }),
  answers("thinks aloud first", { reasoning: "let me see" }),
  answers("answers in many scripts", { content: "all is well: Ünï 日本 😀" }),
  { ...answers("says what the answer cost", { usage: { ...usage, cost: 0.5 } }), charged: 0.5 },
  { ...answers("counts no tokens", { usage: null }), charged: "estimated" },
  streams(
    "says first what its filter thinks",
    { choices: [], prompt_filter_results: [] },
    said,
    chunk({}, "stop"),
    counted,
  ),
  streams("begins with a role and null", chunk({ role: "assistant", content: null }), said, chunk({}, "stop"), counted),
  streams("calls thoughts reasoning_content", chunk({ reasoning_content: "hm" }), said, chunk({}, "stop"), counted),
  streams("ends with a reason of its own", said, chunk({}, "eos"), counted),
  streams("counts tokens in its last chunk", { ...said, usage: null }, { ...chunk({}, "stop"), usage }),
  streams(
    "adds fields that nobody knows",
    { ...said, x: { y: 1 } },
    { ...chunk({}, "stop"), service_tier: "a" },
    counted,
  ),
  streams("says null for what it cost", said, chunk({}, "stop"), { choices: [], usage: { ...usage, cost: null } }),
  {
    ...streams("counts tokens in words", said, chunk({}, "stop"), { choices: [], usage: { prompt_tokens: "ten" } }),
    charged: "estimated",
  },
  answers("asks for a tool and answers all the same", { tools: ["search"] }),
  // ── answers that are not whole ──
  { ...answers("is cut at the limit of tokens", { finish: "length" }), sees: /cut at the limit of its length/ },
  { ...answers("is filtered in the middle", { finish: "content_filter" }), sees: /content filter took the rest away/ },
  // ── no answer although there was one to pay ──
  fails(
    "is filtered as a whole",
    { kind: "answer", content: "", finish: "content_filter", usage },
    /Filtered: .*content filter/,
    { charged: ONE },
  ),
  fails(
    "thinks and says nothing",
    { kind: "answer", content: "", reasoning: "hm", usage },
    /EmptyAnswer: the model thought \(2 characters\) and said nothing/,
    { charged: ONE },
  ),
  fails(
    "thinks until its tokens are gone",
    { kind: "answer", content: "", reasoning: "hm", finish: "length", usage },
    /EmptyAnswer: .*raise --max-tokens/,
    { charged: ONE },
  ),
  fails(
    "has no token left to say anything",
    { kind: "answer", content: "", finish: "length", usage },
    /EmptyAnswer: .*raise --max-tokens/,
    { charged: ONE },
  ),
  fails(
    "says nothing but blanks",
    { kind: "answer", content: " \n", usage },
    /EmptyAnswer: the model returned nothing/,
    { charged: ONE },
  ),
  fails(
    "says null",
    { kind: "json", body: { choices: [{ message: { content: null }, finish_reason: "stop" }], usage } },
    /EmptyAnswer/,
    { charged: ONE },
  ),
  fails(
    "refuses",
    { kind: "answer", content: "", refusal: "I can't help with that", usage },
    /Refused: .*I can't help with that/,
    { charged: ONE },
  ),
  fails("refuses in one piece", { kind: "answer", content: "", refusal: "no", usage, whole: true }, /Refused: .*no/, {
    charged: ONE,
  }),
  fails(
    "asks for a tool",
    { kind: "answer", content: "", tools: ["search"], finish: "tool_calls", usage },
    /ToolCall: .*\(search\)/,
    { charged: ONE },
  ),
  fails(
    "asks for a function",
    { kind: "answer", content: "", finish: "function_call", usage },
    /ToolCall: the model asked for a tool/,
    { charged: ONE },
  ),
  // ── errors inside a success ──
  fails("puts an error into a 200", inside({ message: "no such model", code: 404 }), /HttpError: no such model/),
  fails("puts a bare error into a 200", inside("model crashed"), /HttpError: model crashed/, { sent: 2 }),
  fails(
    "puts an error into the choice",
    { kind: "json", body: { choices: [{ error: { message: "upstream down", code: 502 } }] } },
    /HttpError: upstream down/,
    { sent: 2 },
  ),
  fails(
    "breaks its stream off with an error",
    { kind: "events", events: [said, { error: { message: "overloaded", code: 502 } }] },
    /HttpError: overloaded/,
    { charged: "estimated", sent: 2 },
  ),
  recovers("puts a 429 into a 200", inside({ message: "slow down", code: 429 })),
  fails(
    "puts an empty account into a 200",
    inside({ message: "no credits", code: "insufficient_quota" }),
    /QuotaExhausted: no credits/,
  ),
  // ── refusals ──
  fails(
    "finds the request wrong",
    status(400, { message: "temperature must be 1" }),
    /HttpError: 400 temperature must be 1/,
  ),
  fails("does not know the key", status(401), /HttpError: 401/),
  fails("does not allow it", status(403), /HttpError: 403/),
  fails(
    "has no such model",
    status(404, { message: "model m not found, try pulling it first" }),
    /404 model m not found/,
  ),
  fails(
    "finds the prompt too long",
    status(413, { message: "context length exceeded" }),
    /413 context length exceeded/,
  ),
  fails("cannot process it", status(422), /HttpError: 422/),
  fails(
    "filters the prompt",
    status(400, { message: "management policy", code: "content_filter" }),
    /Filtered: 400 management policy/,
  ),
  fails("refuses without JSON", status(400, "just no"), /HttpError: 400 just no/),
  fails(
    "refuses with an account that is empty",
    status(429, { message: "You exceeded your current quota", code: "insufficient_quota" }),
    /QuotaExhausted: 429 You exceeded your current quota/,
  ),
  fails(
    "wants to be paid",
    status(402, { message: "Insufficient credits" }),
    /QuotaExhausted: 402 Insufficient credits/,
  ),
  fails(
    "has a credit balance that is too low",
    status(400, { message: "Your credit balance is too low", type: "invalid_request_error" }),
    /QuotaExhausted: 400 Your credit balance/,
  ),
  fails("asks for an hour of patience", status(429, undefined, { retryAfter: "3600" }), /RateLimited: 429/),
  recovers("says too many requests", status(429)),
  recovers("says too many requests, and until when", status(429, undefined, { retryAfter: "0" })),
  recovers("says it in milliseconds", status(429, undefined, { retryAfter: "60", headers: { "retry-after-ms": "3" } })),
  recovers("was too slow itself", status(408)),
  recovers("is behind a gateway that lost it", status(502)),
  recovers("still loads its model", status(503, { message: "Loading model" })),
  recovers("is overloaded", status(529)),
  fails("is down", status(500), /HttpError: 500/, { sent: 2 }),
  // ── broken connections and nonsense ──
  recovers("resets the connection once", { kind: "cut" }),
  fails("resets every connection", { kind: "cut" }, /ConnectionLost/, { sent: 2 }),
  recovers("loses its answer half way", { kind: "cut", after: "half of" }, "estimated"),
  fails("loses every answer half way", { kind: "cut", after: "half of" }, /ConnectionLost/, {
    charged: "estimated",
    sent: 2,
  }),
  fails(
    "ends its stream without an end",
    { kind: "events", events: [said], unfinished: true },
    /ConnectionLost: the stream ended before/,
    { charged: "estimated", sent: 2 },
  ),
  fails("sends half of its JSON", { kind: "malformed" }, /BadAnswer: the answer is not valid JSON/, {
    charged: "estimated",
    sent: 2,
  }),
  fails("sends no choices", { kind: "no-choices" }, /BadAnswer: the answer has no choices/, {
    charged: "estimated",
    sent: 2,
  }),
  fails("sends a web page", { kind: "web-page" }, /BadAnswer: .*is its baseUrl right/),
  fails("never says anything", { kind: "silence" }, /ModelTimeout: no answer within/, { charged: "estimated" }),
];
