import type { ChosenModel } from "../choose-model.ts";
import type { ModelAnswer, ModelRequest } from "../contract.ts";

/** One attempt at a request. */
export interface Attempt {
  readonly request: ModelRequest;
  readonly model: ChosenModel;
  readonly signal: AbortSignal;
  /** Called with the number of characters that have arrived so far. */
  readonly arrived: (characters: number) => void;
}

/** How requests reach a model. Sends once: limits, retries and totals are not its business. */
export interface Transport {
  send(attempt: Attempt): Promise<Omit<ModelAnswer, "ms">>;
  close?(): Promise<void>;
}
