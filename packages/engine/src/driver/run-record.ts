import { hash } from "node:crypto";
import type { FailureDetail, WorkerIdentity } from "../contract/pool.ts";
import {
  type Attempted,
  type CancelReason,
  completedBody,
  failedBody,
  plainBody,
  type QueuedTask,
  queuedBody,
  type RunMarker,
  SHOWN_CANDIDATE,
  startedBody,
} from "../journal/entry.ts";
import type { History } from "../journal/history.ts";
import type { JournalWriter } from "../journal/writer.ts";

/** The search, its options or its inputs are not those that wrote the journal. */
export class ReplayMismatch extends Error {
  override readonly name = "ReplayMismatch";
  readonly ask: number;
  constructor(ask: number, message: string) {
    super(message);
    this.ask = ask;
  }
}

/** Digests are journaled this often, so that two runs can be compared without replaying them. */
const DIGEST_EVERY_TELLS = 1000;

/**
 * What the driver writes down, and what it compares with when it is replaying. Without a journal every call is free.
 * Lines are buffered in the order they happened and reach the kernel at `write`.
 */
export class RunRecord {
  readonly #writer: JournalWriter | undefined;
  readonly #history: History | undefined;
  readonly #onAsk: ((ask: number, key: string, candidate: string) => void) | undefined;
  /** By ask, what the journal calls its candidate. */
  #hashes = new BigUint64Array(0);
  #queued: QueuedTask[] = [];
  #queuedFrom = 0;

  /** `onAsk` sees every ask before it is compared: a verifier collects candidates there. */
  constructor(
    writer: JournalWriter | undefined,
    history: History | undefined,
    onAsk?: (ask: number, key: string, candidate: string) => void,
  ) {
    this.#writer = writer;
    this.#history = history;
    this.#onAsk = onAsk;
  }

  /** Notes an ask, or, while replaying, checks that it is the one the journal has. True when it is a new one. */
  asked(ask: number, key: string, candidate: string): boolean {
    if (this.#writer === undefined && this.#history === undefined) return true;
    this.#onAsk?.(ask, key, candidate);
    const candidateHash = hashCandidate(candidate);
    const known = this.#history?.askKeys[ask];
    if (known !== undefined) {
      const knownHash = this.#history?.askHashes[ask];
      if (known === key && knownHash === candidateHash) return false;
      const now = known === key ? `a different candidate (hash ${candidateHash})` : `key ${JSON.stringify(key)}`;
      throw new ReplayMismatch(
        ask,
        `task ${ask} differs: the journal has key ${JSON.stringify(known)} (hash ${knownHash}), the search now proposes ${now}; its code, options or inputs have changed`,
      );
    }
    if (this.#queued.length === 0) this.#queuedFrom = ask;
    this.#queued.push(queuedTask(key, candidateHash, candidate));
    this.#keepHash(ask, candidateHash);
    return true;
  }

  /** What can be said of the candidate of an earlier ask. */
  named(ask: number): string {
    const kept = this.#hashes.at(ask)?.toString(16).padStart(16, "0");
    const hash = this.#history?.askHashes[ask] ?? kept;
    return `a different candidate${hash === undefined ? "" : ` (hash ${hash} in the journal)`}`;
  }

  #keepHash(ask: number, hash: string): void {
    if (ask >= this.#hashes.length) {
      const larger = new BigUint64Array(Math.max(1024, ask * 2));
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[ask] = BigInt(`0x${hash}`);
  }

  /** Called when the search is done: a journal that goes on is another search's. */
  checkDone(asked: number): void {
    const known = this.#history?.askKeys[asked];
    if (known === undefined || this.#history?.timeLimitTell !== undefined) return;
    throw new ReplayMismatch(
      asked,
      `task ${asked} differs: the journal has key ${JSON.stringify(known)}, the search now says it is done`,
    );
  }

  /** After each tell: writes the running digest, or compares it with the journal's. */
  told(tells: number, digest: () => string): void {
    if (tells % DIGEST_EVERY_TELLS !== 0) return;
    const known = this.#history?.digests.find((entry) => entry.tells === tells);
    if (known !== undefined) {
      if (known.digest === digest()) return;
      throw new ReplayMismatch(
        tells - 1,
        `an outcome among tells ${tells - DIGEST_EVERY_TELLS} to ${tells - 1} is not the one that was told: the running digest differs; "verify --all" names it`,
      );
    }
    if (this.#writer !== undefined) {
      this.marker({ type: "run", event: "digest", at: Date.now(), tells, digest: digest() });
    }
  }

  started(worker: WorkerIdentity, asks: readonly number[]): void {
    if (this.#writer !== undefined) this.#append(startedBody(Date.now(), worker, asks));
  }

  /** Returns where the line starts, if there is a journal. */
  completed(task: Attempted, from: "worker" | "cache", value: string): number | undefined {
    return this.#writer === undefined ? undefined : this.#append(completedBody(task, from, value));
  }

  failed(
    task: Attempted,
    willRetry: boolean,
    outcome: boolean,
    detail: FailureDetail,
    failure: string,
  ): number | undefined {
    return this.#append(failedBody(task, willRetry, outcome, detail, failure));
  }

  requeued(ask: number, reason: string): void {
    this.#append(plainBody({ type: "requeued", at: Date.now(), ask, reason }));
  }

  cancelled(ask: number, reason: CancelReason): void {
    if (reason === "withdrawn" && this.#history?.withdrawn.has(ask)) return;
    this.#append(plainBody({ type: "cancelled", at: Date.now(), ask, reason }));
  }

  marker(entry: RunMarker): void {
    this.#append(plainBody(entry));
  }

  /** Hands everything noted so far to the kernel, in order. */
  write(): void {
    this.#flushQueued();
    this.#writer?.write();
  }

  #append(body: string): number | undefined {
    if (this.#writer === undefined) return undefined;
    this.#flushQueued();
    return this.#writer.append(body);
  }

  #flushQueued(): void {
    if (this.#queued.length === 0) return;
    this.#writer?.append(queuedBody(Date.now(), this.#queuedFrom, this.#queued));
    this.#queued = [];
  }
}

/** With the beginning of the candidate, unless the key has it: that of `"a"` may be `a`. */
function queuedTask(key: string, hash: string, candidate: string): QueuedTask {
  const bare = candidate.startsWith('"') ? candidate.slice(1, -1) : candidate;
  return says(key, bare) ? [key, hash] : [key, hash, candidate.slice(0, SHOWN_CANDIDATE + 1)];
}

/** Two characters of one word or number. */
const JOINED = /^(\d\d|[a-z]{2})$/i;

/** Whether a key has a text and not only as part of a longer word or number: `n15` says 15, not 5. */
function says(key: string, text: string): boolean {
  const at = key.indexOf(text);
  const end = at + text.length;
  return at >= 0 && !JOINED.test(key.slice(at - 1, at + 1)) && !JOINED.test(key.slice(end - 1, end + 1));
}

/** 64 bits are plenty to notice that a candidate changed. */
export function hashCandidate(encoded: string): string {
  return hash("sha256", encoded, "hex").slice(0, 16);
}
