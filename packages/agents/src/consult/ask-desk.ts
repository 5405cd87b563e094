import type { Proposal } from "@coppice/engine";

/** A candidate with the key under which its answer is paid for once. */
export interface Keyed<Candidate> {
  readonly candidate: Candidate;
  readonly key: string;
}

type Queued<Candidate, Reason> =
  | { readonly kind: "candidate"; readonly keyed: Keyed<Candidate>; readonly reason: Reason }
  | { readonly kind: "withdraw"; readonly ask: number };

/** What is still to be proposed, first come, first proposed, and what is out, each with the reason why it is asked. */
export class AskDesk<Candidate, Reason> {
  readonly #out = new Map<number, { readonly key: string; readonly reason: Reason }>();
  #queue: Queued<Candidate, Reason>[] = [];
  #asked = 0;

  propose(keyed: Keyed<Candidate>, reason: Reason): void {
    this.#queue.push({ kind: "candidate", keyed, reason });
  }

  /** The next proposal; undefined when there is none. */
  next(): Proposal<Candidate> | undefined {
    const next = this.#queue.shift();
    if (next === undefined || next.kind === "withdraw") return next;
    this.#out.set(this.#asked++, { key: next.keyed.key, reason: next.reason });
    return { kind: "candidate", ...next.keyed };
  }

  /** Why an ask was made that has its outcome now. */
  answered(ask: number): Reason {
    const out = this.#out.get(ask);
    if (out === undefined) throw new Error(`ask ${ask} is not awaited`);
    this.#out.delete(ask);
    return out.reason;
  }

  /** How many asks are without an outcome. */
  get awaited(): number {
    return this.#out.size;
  }

  /** Keys of the asks that are without an outcome. */
  outstanding(): ReadonlyMap<number, string> {
    return new Map([...this.#out].map(([ask, { key }]) => [ask, key]));
  }

  /** Takes asks back, before anything else is proposed: that makes room for new ones. */
  withdraw(unwanted: (reason: Reason) => boolean): void {
    const asks = [...this.#out].filter(([, { reason }]) => unwanted(reason)).map(([ask]) => ask);
    for (const ask of asks) this.#out.delete(ask);
    const others = this.#queue.filter((queued) => queued.kind === "withdraw" || !unwanted(queued.reason));
    this.#queue = [...asks.map((ask) => ({ kind: "withdraw" as const, ask })), ...others];
  }
}
