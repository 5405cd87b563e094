import type { Proposal } from "@coppice/engine";
import type { CouncilCandidate, Keyed } from "./candidate.ts";

type Queued<Reason> =
  | { readonly kind: "candidate"; readonly keyed: Keyed; readonly reason: Reason }
  | { readonly kind: "withdraw"; readonly ask: number };

/** What is still to be proposed and what is out, each with the reason why it was asked. */
export class AskDesk<Reason> {
  readonly #out = new Map<number, Reason>();
  #queue: Queued<Reason>[] = [];
  #asked = 0;

  propose(keyed: Keyed, reason: Reason): void {
    this.#queue.push({ kind: "candidate", keyed, reason });
  }

  /** The next proposal; undefined when there is none. */
  next(): Proposal<CouncilCandidate> | undefined {
    const next = this.#queue.shift();
    if (next === undefined || next.kind === "withdraw") return next;
    this.#out.set(this.#asked++, next.reason);
    return { kind: "candidate", ...next.keyed };
  }

  /** Why an ask was made that has its outcome now. */
  answered(ask: number): Reason {
    const reason = this.#out.get(ask);
    if (reason === undefined) throw new Error(`ask ${ask} is not awaited`);
    this.#out.delete(ask);
    return reason;
  }

  /** Takes asks back, before anything else is proposed: then there is room in the line again. */
  withdraw(unwanted: (reason: Reason) => boolean): void {
    const asks = [...this.#out].filter(([, reason]) => unwanted(reason)).map(([ask]) => ask);
    for (const ask of asks) this.#out.delete(ask);
    const others = this.#queue.filter((queued) => queued.kind === "withdraw" || !unwanted(queued.reason));
    this.#queue = [...asks.map((ask) => ({ kind: "withdraw" as const, ask })), ...others];
  }
}
