import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { beginning } from "@coppice/engine/printable";
import {
  JOURNAL_NAME,
  type JournalEntry,
  type LinesRead,
  readEntryAt,
  readJournal,
  SHOWN_CANDIDATE,
} from "@coppice/engine/records";
import type { TaskDetail, TaskRow, TaskState, TaskWindow } from "../wire.ts";
import { attemptsAt, failureText } from "./task-attempts.ts";

const STATES: readonly TaskState[] = ["waiting", "running", "done", "cached", "failed", "withdrawn"];
const code = (state: TaskState): number => STATES.indexOf(state);
const MOST_OUTCOME = 200;
/** Rows a page may ask for at once. */
const MOST_ROWS = 500;
/** Some hundred bytes each. What was asked later is not listed. */
const MOST_TASKS = 4_000_000;

/** What a page wants to see of the table. */
export interface TaskQuery {
  readonly from: number;
  readonly count: number;
  readonly state?: string;
  /** Part of a key, or of how the candidate begins. */
  readonly search?: string;
  readonly sort?: "ask" | "elapsed" | "attempts";
  readonly descending?: boolean;
}

/**
 * Every task of a run, in a few numbers each: where in the journal the rest of it stands, which is read again for the rows
 * somebody looks at. Grows with what is new in the journal.
 */
export class TaskTable {
  readonly #directory: string;
  readonly #path: string;
  #read: LinesRead | undefined;
  #damage: unknown;
  #count = 0;
  /** The first ask for each key, by the key's hash: later ones get the same answer. */
  readonly #firstAsks = new Map<number, number>();
  #lastQueued: { readonly offset: number; readonly entry: JournalEntry } | undefined;
  #startedAt: number | undefined;
  #columns = columnsFor(1024);
  /** Tasks that contain what was last searched for. */
  #found: { readonly search: string; readonly upTo: number; readonly asks: Uint8Array } | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.#path = join(directory, JOURNAL_NAME);
  }

  /** Reads what is new; throws at a damaged line, with everything before it known. */
  catchUp(): void {
    if (this.#damage !== undefined) throw this.#damage;
    try {
      this.#read = readJournal(this.#path, (entry, offset) => this.#see(entry, offset), this.#read);
    } catch (error) {
      this.#damage = error; // read once: what came before it is not counted again
      throw error;
    }
  }

  window({ from, count, state, search, sort = "ask", descending = false }: TaskQuery): TaskWindow {
    const wanted = state === undefined ? -1 : code(state as TaskState);
    const found = search === undefined || search === "" ? undefined : this.#matching(search);
    const asks: number[] = [];
    for (let ask = 0; ask < this.#count; ask++) {
      if (wanted >= 0 && this.#columns.state[this.#answered(ask)] !== wanted) continue;
      if (found === undefined || found[ask] === 1) asks.push(ask);
    }
    if (sort !== "ask") {
      const by = sort === "elapsed" ? this.#columns.elapsedMs : this.#columns.attempts;
      asks.sort((a, b) => by[a] - by[b] || a - b);
    }
    if (descending) asks.reverse();
    const rows = this.#reading((fd) =>
      asks.slice(from, from + Math.min(count, MOST_ROWS)).map((ask) => this.#row(fd, ask)),
    );
    return { total: asks.length, from, rows };
  }

  /** One task with every attempt at it; undefined when nobody asked for it. */
  detail(ask: number): TaskDetail | undefined {
    if (!Number.isInteger(ask) || ask < 0 || ask >= this.#count) return undefined;
    const isOut = this.#columns.state[this.#answered(ask)] === code("running");
    const attemptsMade = attemptsAt(this.#directory, ask, this.#startedAt, isOut ? Date.now() : undefined);
    return { ...this.#reading((fd) => this.#row(fd, ask)), attemptsMade };
  }

  #row(fd: number, ask: number): TaskRow {
    const { state, attempts, worker, endedAt, elapsedMs, outcomeAt } = this.#columns;
    const same = this.#answered(ask);
    const [[key, , candidate] = [""]] = this.#queued(fd, ask);
    const row = {
      ask,
      key: beginning(key, 500),
      ...(candidate === undefined ? {} : { candidate: beginning(candidate, SHOWN_CANDIDATE) }),
      state: STATES[state[same]],
      attempts: attempts[same],
      ...(same === ask ? {} : { sameAs: same }),
    };
    if (outcomeAt[same] < 0) return worker[same] < 0 ? row : { ...row, worker: worker[same] };
    const ended = readEntryAt(fd, outcomeAt[same]);
    const text = ended.type === "completed" ? ended.value : ended.type === "failed" ? failureText(ended.failure) : "";
    return {
      ...row,
      worker: worker[same],
      atMs: endedAt[same] - (this.#startedAt ?? 0),
      elapsedMs: elapsedMs[same],
      outcome: beginning(text, MOST_OUTCOME),
    };
  }

  /** The ask whose answer this one got: its own, or that of the first with its key. */
  #answered(ask: number): number {
    const { first, outcomeAt, state } = this.#columns;
    return first[ask] < 0 || outcomeAt[ask] >= 0 || STATES[state[ask]] === "withdrawn" ? ask : first[ask];
  }

  /** The line in which a task was asked for, from that task on. */
  #queued(fd: number, ask: number): QueuedTasks {
    const offset = this.#columns.queuedAt[ask];
    if (offset < 0) return [];
    if (this.#lastQueued?.offset !== offset) this.#lastQueued = { offset, entry: readEntryAt(fd, offset) };
    const { entry } = this.#lastQueued;
    return entry.type === "queued" ? entry.tasks.slice(ask - entry.ask) : [];
  }

  /** 1 for every ask whose key or candidate contains the text; what was found before is kept while the text stays. */
  #matching(search: string): Uint8Array {
    const earlier = this.#found?.search === search ? this.#found : undefined;
    const asks = new Uint8Array(this.#count);
    if (earlier !== undefined) asks.set(earlier.asks);
    this.#reading((fd) => {
      for (let ask = earlier?.upTo ?? 0; ask < this.#count; ) {
        const tasks = this.#queued(fd, ask).slice(0, this.#count - ask);
        for (const [index, [key, , candidate = ""]] of tasks.entries()) {
          if (key.includes(search) || candidate.includes(search)) asks[ask + index] = 1;
        }
        ask += Math.max(1, tasks.length);
      }
    });
    this.#found = { search, upTo: this.#count, asks };
    return asks;
  }

  #see(entry: JournalEntry, offset: number): void {
    const { state, attempts, worker, endedAt, elapsedMs, queuedAt, outcomeAt } = this.#columns;
    switch (entry.type) {
      case "run":
        this.#startedAt ??= entry.at;
        return;
      case "queued":
        // A resumed run asks again what it asked before.
        for (const [index, [key]] of entry.tasks.entries()) {
          if (entry.ask + index < MOST_TASKS) this.#add(entry.ask + index, offset, key);
        }
        return;
      case "started":
        for (const ask of entry.asks) {
          if (ask >= this.#count || outcomeAt[ask] >= 0) continue;
          state[ask] = code("running");
          worker[ask] = entry.worker;
        }
        return;
      case "completed":
      case "failed": {
        const { ask } = entry;
        if (ask >= this.#count || queuedAt[ask] < 0) return;
        const isOutcome = entry.type === "completed" || entry.outcome;
        attempts[ask]++;
        worker[ask] = entry.worker;
        if (!isOutcome) return;
        state[ask] = code(entry.type === "failed" ? "failed" : entry.from === "cache" ? "cached" : "done");
        elapsedMs[ask] = entry.ms;
        endedAt[ask] = entry.at;
        outcomeAt[ask] = offset;
        return;
      }
      case "requeued":
        if (entry.ask < this.#count) state[entry.ask] = code("waiting");
        return;
      case "cancelled":
        if (entry.ask < this.#count && outcomeAt[entry.ask] < 0) {
          state[entry.ask] = code(entry.reason === "withdrawn" ? "withdrawn" : "waiting");
        }
        return;
      default:
        entry satisfies never;
    }
  }

  #add(ask: number, offset: number, key: string): void {
    if (ask >= this.#columns.state.length) this.#columns = grown(this.#columns, 2 * (ask + 1));
    if (ask >= this.#count) this.#count = ask + 1;
    else if (this.#columns.queuedAt[ask] >= 0) return;
    this.#columns.queuedAt[ask] = offset;
    const hash = hashOf(key);
    const first = this.#firstAsks.get(hash);
    if (first === undefined) this.#firstAsks.set(hash, ask);
    else this.#columns.first[ask] = first;
  }

  #reading<T>(look: (fd: number) => T): T {
    const fd = openSync(this.#path, "r");
    try {
      return look(fd);
    } finally {
      closeSync(fd);
    }
  }
}

type QueuedTasks = Extract<JournalEntry, { type: "queued" }>["tasks"];

interface Columns {
  readonly state: Uint8Array;
  readonly attempts: Uint16Array;
  readonly worker: Int32Array;
  readonly endedAt: Float64Array;
  readonly elapsedMs: Float64Array;
  /** Where in the journal the task was asked for and where its outcome stands; -1 where it does not. */
  readonly queuedAt: Float64Array;
  readonly outcomeAt: Float64Array;
  /** An earlier ask for the same key; -1 where there is none. */
  readonly first: Int32Array;
}

function columnsFor(size: number): Columns {
  return {
    state: new Uint8Array(size),
    attempts: new Uint16Array(size),
    worker: new Int32Array(size).fill(-1),
    endedAt: new Float64Array(size),
    elapsedMs: new Float64Array(size),
    queuedAt: new Float64Array(size).fill(-1),
    outcomeAt: new Float64Array(size).fill(-1),
    first: new Int32Array(size).fill(-1),
  };
}

function grown(columns: Columns, size: number): Columns {
  const larger = columnsFor(size);
  larger.state.set(columns.state);
  larger.attempts.set(columns.attempts);
  larger.worker.set(columns.worker);
  larger.endedAt.set(columns.endedAt);
  larger.elapsedMs.set(columns.elapsedMs);
  larger.queuedAt.set(columns.queuedAt);
  larger.outcomeAt.set(columns.outcomeAt);
  larger.first.set(columns.first);
  return larger;
}

/** 53 bits of a key: among ten million keys two are alike once in a hundred tables. */
function hashOf(key: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
