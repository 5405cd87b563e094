import type { ModelRequest } from "../consultation.ts";
import type { ChatBody } from "../transport/chat-protocol.ts";

/** What sets a provider apart: where it is, what it wants to be sent, what it says when it refuses. */
export interface ProviderKind {
  /** `kind` in the models file. */
  readonly name: string;
  /** How it is known by its address; those on a machine of one's own are only known by their kind. */
  readonly isAt: (address: URL) => boolean;
  /** What is needed to ask it without a models file. */
  readonly usual?: {
    readonly baseUrl: string;
    readonly keyVariable: string;
    readonly reportsCost?: true;
    /** The model that is asked when its key is the only one. */
    readonly model: string;
  };
  /** Sells at the prices of the built-in table. */
  readonly publicPrices: boolean;
  /** Where requests go, below the base address. */
  readonly path: "/chat/completions" | "/messages";
  /** How the key travels; `Authorization: Bearer …` if absent. */
  readonly keyHeader?: string;
  /** Headers that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body that it wants, made of the usual one. */
  readonly body?: (usual: ChatBody, request: ModelRequest) => object;
  /** The body of a refusal in the usual form, `{"error": {"message", "code", "type"}}`. */
  readonly refusal?: (body: unknown) => unknown;
}

/** The effort as most providers know it, instead of OpenRouter's `reasoning`. */
export function withReasoningEffort({ reasoning, ...body }: ChatBody): object {
  return reasoning === undefined ? body : { ...body, reasoning_effort: reasoning.effort };
}
