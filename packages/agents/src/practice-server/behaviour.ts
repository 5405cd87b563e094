/** What the practice server does with one request. Times are in milliseconds, counted from the request's last byte. */
export type Behaviour =
  | ({ readonly kind: "answer" } & AnswerBehaviour)
  /** An HTTP status with an error body; `retryAfter` is the header as it is sent. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly retryAfter?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** The body's `error`, instead of the usual one. */
      readonly error?: unknown;
      readonly afterMs?: number;
    }
  /** Status 200 with this JSON document, or these events of a stream. */
  | { readonly kind: "json"; readonly body: unknown }
  | { readonly kind: "events"; readonly events: readonly unknown[]; readonly unfinished?: boolean }
  /** Sends a part of the answer (none by default), then resets the connection. */
  | { readonly kind: "cut"; readonly after?: string; readonly afterMs?: number }
  /** Status 200 and the right content type, but the JSON breaks off. */
  | { readonly kind: "malformed" }
  /** Status 200 and a web page, as a proxy or a wrong address sends. */
  | { readonly kind: "web-page" }
  /** Well-formed, but without choices. */
  | { readonly kind: "no-choices" }
  /** Takes the request and never says anything. */
  | { readonly kind: "silence" };

export interface AnswerBehaviour {
  readonly content: string;
  readonly reasoning?: string;
  /** Default `stop`. */
  readonly finish?: string;
  readonly refusal?: string;
  /** Names of tools that the model wants called. */
  readonly tools?: readonly string[];
  /** Until the answer is complete. Default 0. */
  readonly latencyMs?: number;
  /** Until the first byte, at most `latencyMs`. Default: at once when streaming. */
  readonly firstByteMs?: number;
  /** Pieces of a streamed answer; default one per word, at most 20. */
  readonly pieces?: number;
  /** Default: a token per four characters. `null` sends none. */
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly cost?: number;
  } | null;
  /** Ignores `stream: true`, as simple servers do. */
  readonly whole?: boolean;
}
