import type { JournalEntry, RunMarker } from "./entry.ts";
import { type LinesRead, readJournal } from "./reader.ts";

/** An outcome as the journal has it: short texts in memory, long ones by the place of their line. */
export type StoredText = string | number;

/** Texts longer than this stay in the journal and are read again when needed. */
export const LONGEST_HELD_TEXT = 256;

/** A process that an earlier session had; one without a host may be anywhere, as far as its journal says. */
interface WorkerProcess {
  readonly pid: number;
  readonly pidStart: string;
  readonly host?: string;
  /** The session that had it. */
  readonly session?: Session;
}

/** What a session said of itself when it began. */
export type Session = Omit<Extract<RunMarker, { event: "opened" }>, "type" | "event">;

/** What a journal says happened, folded so that a run can be replayed, compared or continued. */
export interface History {
  readonly size: LinesRead;
  /** Key and candidate hash of ask n. */
  readonly askKeys: readonly string[];
  readonly askHashes: readonly string[];
  readonly successes: Map<string, StoredText>;
  readonly failures: Map<string, StoredText>;
  readonly withdrawn: ReadonlySet<number>;
  /** Failed attempts so far of keys without an outcome. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Tasks that were started and did not end, by ask, with the process that had them. */
  readonly unfinished: ReadonlyMap<number, WorkerProcess>;
  readonly sessions: readonly Session[];
  readonly digests: readonly { readonly tells: number; readonly digest: string }[];
  readonly timeLimitTell: number | undefined;
  /** When the evaluator became different code, and what had its outcome by then. */
  readonly changes: readonly (Extract<RunMarker, { event: "changed" }> & { readonly older: ReadonlySet<string> })[];
  readonly end:
    | Extract<JournalEntry, { type: "run"; event: "finished" | "stopped" | "interrupted" | "error" }>
    | undefined;
}

/** Folds a journal; `watch` sees every entry on the way (for reports). */
export function readHistory(path: string, watch?: (entry: JournalEntry) => void): History {
  const askKeys: string[] = [];
  const askHashes: string[] = [];
  const successes = new Map<string, StoredText>();
  const failures = new Map<string, StoredText>();
  const withdrawn = new Set<number>();
  const attempts = new Map<string, number>();
  const unfinished = new Map<number, WorkerProcess>();
  const sessions: Session[] = [];
  const digests: History["digests"][number][] = [];
  const changes: History["changes"][number][] = [];
  let timeLimitTell: number | undefined;
  let end: History["end"];

  const size = readJournal(path, (entry, offset) => {
    watch?.(entry);
    switch (entry.type) {
      case "queued":
        for (const [index, [key, hash]] of entry.tasks.entries()) {
          askKeys[entry.ask + index] = key;
          askHashes[entry.ask + index] = hash;
        }
        return;
      case "started": {
        const session = sessions.at(-1);
        const { pid, pidStart, host = session?.host } = entry;
        const worker = { pid, pidStart, ...(session && { session }), ...(host === undefined ? {} : { host }) };
        for (const ask of entry.asks) unfinished.set(ask, worker);
        return;
      }
      case "completed":
        unfinished.delete(entry.ask);
        attempts.delete(entry.key);
        // The first outcome written is the key's outcome.
        if (!successes.has(entry.key) && !failures.has(entry.key))
          successes.set(entry.key, stored(entry.value, offset));
        return;
      case "failed":
        unfinished.delete(entry.ask);
        if (entry.outcome) {
          if (!successes.has(entry.key) && !failures.has(entry.key))
            failures.set(entry.key, stored(entry.failure, offset));
          attempts.delete(entry.key);
        } else if (entry.willRetry) attempts.set(entry.key, entry.attempt + 1);
        else attempts.delete(entry.key); // the run was stopped by it: fresh retries
        return;
      case "requeued":
        unfinished.delete(entry.ask);
        return;
      case "cancelled":
        // Withdrawing an ask does not end the work: another ask may have joined it.
        if (entry.reason === "withdrawn") withdrawn.add(entry.ask);
        else unfinished.delete(entry.ask);
        return;
      case "run":
        switch (entry.event) {
          case "opened":
            sessions.push(entry);
            end = undefined;
            return;
          case "digest":
            digests.push(entry);
            return;
          case "changed":
            changes.push({ ...entry, older: new Set([...successes.keys(), ...failures.keys()]) });
            return;
          case "time-limit":
            timeLimitTell = entry.tell;
            return;
          case "finished":
          case "stopped":
          case "interrupted":
          case "error":
            end = entry;
            return;
          case "truncated":
          case "takeover":
            return;
          default:
            entry satisfies never;
            return;
        }
      default:
        entry satisfies never;
        return;
    }
  });
  return {
    size,
    askKeys,
    askHashes,
    successes,
    failures,
    withdrawn,
    attempts,
    unfinished,
    sessions,
    digests,
    timeLimitTell,
    changes,
    end,
  };
}

function stored(text: string, offset: number): StoredText {
  return text.length <= LONGEST_HELD_TEXT ? text : offset;
}
