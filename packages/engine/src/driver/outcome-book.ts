import { closeSync, openSync } from "node:fs";
import { type History, LONGEST_HELD_TEXT, type StoredText } from "../journal/history.ts";
import { readEntryAt } from "../journal/reader.ts";

export interface EncodedOutcome {
  readonly ok: boolean;
  readonly encoded: string;
}

/**
 * The one outcome of each key. Short texts are held in memory, long ones are found again in the journal,
 * so that a million tasks cost the coordinator little and a large value costs it nothing.
 */
export class OutcomeBook {
  readonly #successes: Map<string, StoredText>;
  readonly #failures: Map<string, StoredText>;
  readonly #journalPath: string | undefined;
  #fd: number | undefined;

  constructor(history: History | undefined, journalPath: string | undefined) {
    this.#successes = history?.successes ?? new Map();
    this.#failures = history?.failures ?? new Map();
    this.#journalPath = journalPath;
  }

  has(key: string): boolean {
    return this.#successes.has(key) || this.#failures.has(key);
  }

  get(key: string): EncodedOutcome | undefined {
    const success = this.#successes.get(key);
    if (success !== undefined) return { ok: true, encoded: this.#text(success) };
    const failure = this.#failures.get(key);
    if (failure !== undefined) return { ok: false, encoded: this.#text(failure) };
    return undefined;
  }

  /** `offset` is the byte of the outcome's line in the journal, if there is one. */
  add(key: string, ok: boolean, encoded: string, offset: number | undefined): void {
    const held = offset === undefined || encoded.length <= LONGEST_HELD_TEXT ? encoded : offset;
    (ok ? this.#successes : this.#failures).set(key, held);
  }

  get size(): number {
    return this.#successes.size + this.#failures.size;
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #text(stored: StoredText): string {
    if (typeof stored === "string") return stored;
    if (this.#journalPath === undefined) throw new Error("an outcome is said to be in a journal, but there is none");
    this.#fd ??= openSync(this.#journalPath, "r");
    const entry = readEntryAt(this.#fd, stored);
    if (entry.type === "completed") return entry.value;
    if (entry.type === "failed") return entry.failure;
    throw new Error(`journal byte ${stored} holds a ${entry.type} line where an outcome was written`);
  }
}
