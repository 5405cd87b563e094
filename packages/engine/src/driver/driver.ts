import type { Reproducible, RunEnd } from "../contract/event.ts";
import type { Failure, Outcome } from "../contract/outcome.ts";
import type { Search } from "../contract/search.ts";
import { afterFailure } from "../journal/reproducible.ts";
import { RunDigest } from "../journal/run-digest.ts";
import { decode } from "../values/encode.ts";
import { AskLine } from "./ask-line.ts";
import type { EncodedOutcome } from "./outcome-book.ts";
import { CandidateKeys, callSearch, candidateText, proposed, SearchError } from "./search-contract.ts";
import { Workshop, type WorkshopOptions, type WorkshopOwner } from "./workshop.ts";

export interface DriverOptions<Candidate, Value, Result> extends WorkshopOptions {
  readonly search: Search<Candidate, Value, Result>;
  readonly lookahead: number;
  /** Whether the search is asked to the end before anything is handed out. */
  readonly wholeBatches: boolean;
  /** How long running work may go on when the run stops for a failure. */
  readonly drainMs: number;
  /** Ends the run at this tell, as the journal says the clock did. */
  readonly stopAtTell: number | undefined;
  readonly maxTimeMs: number;
  /** What is known before the first tell of what the run can be repeated from. */
  readonly reproducible: Reproducible;
  /** Called exactly once, when the run is over and the pool is closed. */
  readonly onEnd: (end: RunEnd, error: Error | undefined) => void;
}

const TELLS_PER_TURN = 1000;
/** Asks after which what they want is handed out: the first worker need not wait for a search's last proposal. */
const ASKS_PER_TURN = 16;
const CLOSE_MS = 1_000;
/**
 * Runs a search: asks, has candidates evaluated in any order, and tells outcomes in the order they were asked.
 * After every tell it asks again until the search waits or `lookahead` asks are unanswered, so that what the search
 * knew at its k-th proposal depends on the search and `lookahead` alone.
 */
export class Driver<Candidate, Value, Result> implements WorkshopOwner {
  readonly #options: DriverOptions<Candidate, Value, Result>;
  readonly #work: Workshop;
  readonly #line = new AskLine();
  readonly #digest = new RunDigest();
  readonly #keys = new CandidateKeys();
  #tells = 0;
  #announced = 0;
  /** Between tells the search has nothing new to go by: how often it is asked must not depend on when results arrive. */
  #mayAsk = true;
  /** The last proposal was a new one: nothing that follows has been asked, paid for or withdrawn before. */
  #beyondJournal = false;
  #reproducible: Reproducible;
  #state: "open" | "draining" | "ended" = "open";
  #searchDone = false;
  #timeUp = false;
  #turnPlanned = false;
  #timeLimit: NodeJS.Timeout | undefined;
  #drainLimit: NodeJS.Timeout | undefined;
  #stopMessage = "";
  #result: { readonly value: Result } | undefined;

  constructor(options: DriverOptions<Candidate, Value, Result>) {
    this.#options = options;
    this.#reproducible = options.reproducible;
    this.#work = new Workshop(options, this);
  }

  /** The search's result; there is one only when the run is done. */
  result(): Result {
    if (this.#result === undefined) throw new Error("the run has no result");
    return this.#result.value;
  }

  begin(): void {
    // A run that met its time limit already ends where it did then.
    if (this.#options.maxTimeMs > 0 && this.#options.stopAtTell === undefined) {
      this.#timeLimit = setTimeout(() => {
        this.#timeUp = true;
        this.#pump();
      }, this.#options.maxTimeMs);
    }
    this.#pump();
  }

  /** Ends the run now; what is finished is kept and the run can be resumed. */
  interrupt(message: string): void {
    this.#end({ state: "interrupted", message, tells: this.#tells }, undefined);
  }

  fail(error: Error): void {
    this.#end({ state: "error", message: error.message, tells: this.#tells }, error);
  }

  // ── what the workshop says ────────────────────────────────────────────────────────────────────────────────

  moved(): void {
    if (this.#state === "open") this.#pump();
    else this.#endIfDrained();
  }

  /** A failure, or a task that was not admitted: nothing new is started; what is running may finish for a while and is kept. */
  stopped(message: string): void {
    this.#state = "draining";
    this.#stopMessage = message;
    this.#work.drain();
    this.#drainLimit = setTimeout(() => this.#endStopped(), this.#options.drainMs);
  }

  broken(error: Error): void {
    this.fail(error);
  }

  refuses(encoded: string): string | undefined {
    const { search } = this.#options;
    if (search.refuses === undefined) return undefined;
    return this.#call("refuses()", () => search.refuses?.(decode(encoded)));
  }

  // ── the loop ──────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Asks and tells as far as it goes, then dispatches. Nothing is dispatched while the head of the line has its answer,
   * unless it is still being asked for what no journal knows: then workers need not wait for the last proposal.
   */
  #pump(): void {
    if (this.#state !== "open") return;
    try {
      let told: "blocked" | "more" | "asking";
      do {
        told = this.#askAndTell();
        this.#options.record.write();
        // A search is asked to the end even when time is up, as it will be in a replay.
        if (told === "asking" && (this.#over() || (!this.#beyondJournal && this.#headIsAnswered()))) break;
        if (this.#over()) {
          this.#finish();
          return;
        }
        if (told === "more") break;
        if (told === "blocked") this.#work.dropUnwanted();
      } while (this.#work.dispatch());
      // After the pool has planned its own: what it was given is handed out before the search is asked on.
      if (told !== "blocked") this.#planTurn();
      this.#announce();
      this.#endIfDrained();
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /**
   * Until the head of the line has no answer (`blocked`), the run is over, or it is time to let others run: between
   * tells (`more`) or between asks (`asking`). Nothing is told before the search has been asked to the end, so it
   * makes no difference how often it is interrupted.
   */
  #askAndTell(): "blocked" | "more" | "asking" {
    if (this.#ask() === "more") return "asking";
    for (let left = TELLS_PER_TURN; !this.#over(); left--) {
      const head = this.#line.head;
      const outcome = head === undefined ? undefined : this.#options.book.get(head.key);
      if (head === undefined || outcome === undefined) return "blocked";
      if (left === 0) return "more";
      this.#line.shift();
      this.#tell(outcome, head.ask, head.key);
      if (this.#ask() === "more") return "asking";
    }
    return "blocked";
  }

  #headIsAnswered(): boolean {
    const { head } = this.#line;
    return head !== undefined && this.#options.book.has(head.key);
  }

  #planTurn(): void {
    if (this.#turnPlanned) return;
    this.#turnPlanned = true;
    setImmediate(() => {
      this.#turnPlanned = false;
      this.#pump();
    });
  }

  #over(): boolean {
    return this.#searchDone || this.#timeUp || this.#tells === this.#options.stopAtTell;
  }

  /** After each tell, once: until the search waits, is done or has `lookahead` asks unanswered; `more` when interrupted. */
  #ask(): "all" | "more" {
    if (!this.#mayAsk) return "all";
    let left = this.#options.wholeBatches ? Number.POSITIVE_INFINITY : ASKS_PER_TURN;
    while (!this.#searchDone && this.#line.unanswered < this.#options.lookahead) {
      if (left-- === 0) return "more";
      const proposal = proposed(this.#call("ask()", () => this.#options.search.ask()));
      switch (proposal.kind) {
        case "candidate":
          this.#propose(proposal.candidate, proposal.key);
          break;
        case "withdraw":
          this.#withdraw(proposal.ask);
          // It may want the same again: what is not wanted is known only at the end.
          left = Number.POSITIVE_INFINITY;
          break;
        case "wait":
          this.#mayAsk = false;
          if (this.#line.unanswered > 0) return "all";
          throw new SearchError(
            `the search waits after ${this.#tells} tells, but nothing is outstanding: it would wait for ever; propose a candidate or say done`,
          );
        case "done":
          this.#searchDone = true;
          break;
        default:
          proposal satisfies never;
          throw new SearchError(
            `ask() returned ${JSON.stringify(proposal)}: expected a candidate, withdraw, wait or done`,
          );
      }
    }
    this.#mayAsk = false;
    return "all";
  }

  #propose(candidate: Candidate, key: string): void {
    const text = candidateText(candidate, key, this.#line.asked);
    this.#keys.check(this.#line.asked, key, text, this.#options.record);
    const { record, events, book } = this.#options;
    const ask = this.#line.push(key);
    const isNew = record.asked(ask, key, text);
    this.#beyondJournal = isNew;
    const answered = book.has(key);
    // What a journal has already answered is not news; what it only asked is, to whoever follows this session.
    if ((isNew || !answered) && events.heard) events.emit({ type: "queued", at: Date.now(), ask, key });
    if (!answered) this.#work.want(ask, key, text);
  }

  #withdraw(ask: number): void {
    const slot = this.#line.withdraw(ask);
    if (slot === undefined) {
      throw new SearchError(
        `withdraw names ask ${ask}, which is not outstanding (asked so far: ${this.#line.asked}, told: ${this.#tells})`,
      );
    }
    this.#work.cancelled(ask, "withdrawn");
    this.#work.unwant(slot.key);
  }

  #tell(outcome: EncodedOutcome, ask: number, key: string): void {
    this.#digest.add(key, outcome.ok, outcome.encoded);
    this.#tells++;
    this.#mayAsk = true;
    const content = decode(outcome.encoded);
    if (!outcome.ok) this.#reproducible = afterFailure(this.#reproducible, content as Failure, this.#tells - 1);
    const told: Outcome<Value> = outcome.ok
      ? { ok: true, value: content as Value }
      : { ok: false, failure: content as Failure };
    if (told.ok) this.#markIfMetClock(told.value);
    this.#call("tell()", () => this.#options.search.tell(told, ask));
    this.#options.record.told(this.#tells, () => this.#digest.value());
  }

  #call<Answer>(call: string, method: () => Answer): Answer {
    return callSearch(call, method, this.#line.asked, this.#tells);
  }

  /** D4: a value that its evaluator cut short by the clock. */
  #markIfMetClock(value: Value): void {
    const { search } = this.#options;
    if (search.metClock === undefined || this.#reproducible.from === "journal") return;
    const reason = this.#call("metClock()", () => search.metClock?.(value));
    if (reason !== undefined) this.#reproducible = { from: "journal", reason, tell: this.#tells - 1 };
  }

  /** Says how far the search is, once per turn in which it was told something. */
  #announce(): void {
    const { events, search } = this.#options;
    if (this.#tells === this.#announced || !events.heard) return;
    this.#announced = this.#tells;
    const progress = this.#call("progress()", () => search.progress?.() ?? {});
    const news = this.#call("news()", () => search.news?.() ?? []);
    events.emit({
      type: "told",
      at: Date.now(),
      asked: this.#line.asked,
      told: this.#tells,
      search: progress,
      ...(news.length === 0 ? {} : { news }),
    });
  }

  // ── endings ───────────────────────────────────────────────────────────────────────────────────────────────

  #finish(): void {
    const { record, search, stopAtTell } = this.#options;
    if (this.#searchDone) record.checkDone(this.#line.asked);
    else {
      if (this.#tells !== stopAtTell) {
        record.marker({ type: "run", event: "time-limit", at: Date.now(), tell: this.#tells });
      }
      if (this.#reproducible.from === "seed") {
        this.#reproducible = { from: "journal", reason: "the time limit ended the search", tell: this.#tells };
      }
    }
    this.#announce();
    this.#result = { value: this.#call("result()", () => search.result()) };
    const [digest, tells, reproducible] = [this.#digest.value(), this.#tells, this.#reproducible];
    this.#end({ state: "done", digest, tells, reproducible }, undefined);
  }

  #endIfDrained(): void {
    if (this.#state === "draining" && !this.#work.busy) this.#endStopped();
  }

  #endStopped(): void {
    this.#end({ state: "stopped", message: this.#stopMessage, tells: this.#tells }, undefined);
  }

  #end(end: RunEnd, error: Error | undefined): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    clearTimeout(this.#timeLimit);
    clearTimeout(this.#drainLimit);
    // What is out has been aborted, so that this is short; workers may still hand in their timers and tear down.
    this.#work.close(end.state, end.state === "error" ? 0 : CLOSE_MS).then(
      () => this.#options.onEnd(end, error),
      (closing: unknown) => this.#options.onEnd(end, error ?? (closing as Error)),
    );
  }
}
