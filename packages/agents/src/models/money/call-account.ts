import { ModelError, type ModelRequest } from "../consultation.ts";
import type { Price } from "../models-file.ts";
import type { ProviderAnswer } from "../transport/chat-protocol.ts";
import { addCharges, type Charge, chargeOf, estimatedTokens, expectedTokens } from "./charge.ts";

/** Is told how far an attempt has come. */
export interface Meter {
  readonly sent: () => void;
  /** How many characters have come so far, thoughts included. */
  readonly arrived: (characters: number) => void;
}

/** What one request has cost so far, all its attempts together. */
export class CallAccount {
  readonly #request: ModelRequest;
  readonly #price: Price | undefined;
  #charge: Charge = {};

  constructor(request: ModelRequest, price: Price | undefined) {
    this.#request = request;
    this.#price = price;
  }

  get charge(): Charge {
    return this.#charge;
  }

  /** US dollars; undefined when the price is not known. */
  costSince(before: Charge): number | undefined {
    const { cost } = this.#charge;
    return cost === undefined ? undefined : cost - (before.cost ?? 0);
  }

  /** Makes an attempt and charges what it cost, whatever came of it. */
  async attempt(signal: AbortSignal, send: (meter: Meter) => Promise<ProviderAnswer>): Promise<ProviderAnswer> {
    let [characters, sent] = [0, false];
    const meter: Meter = {
      sent: () => {
        sent = true;
      },
      arrived: (count) => {
        characters = count;
      },
    };
    try {
      const said = await send(meter);
      this.#add(said, estimatedTokens(said.content.length + said.reasoning.length));
      return said;
    } catch (error) {
      const timedOut = error instanceof ModelError && error.name === "ModelTimeout";
      const counted = error instanceof ModelError ? error.counted : undefined;
      // An answer that was under way may be billed although nobody has it; of one that was stopped, what had come.
      const underWay = characters > 0 || (sent && (timedOut || signal.aborted));
      const come = characters > 0 || signal.aborted ? estimatedTokens(characters) : expectedTokens(this.#request);
      if (counted !== undefined || underWay) this.#add(counted ?? {}, come);
      throw error;
    }
  }

  #add(said: Pick<ProviderAnswer, "usage" | "cost">, answerTokens: number): void {
    this.#charge = addCharges(this.#charge, chargeOf(said, this.#request, answerTokens, this.#price));
  }
}
