import { endMarkedProcesses } from "../../child-process/marked-processes.ts";
import { afterLooking } from "../../child-process/patient-timer.ts";
import type { Pool, PoolFactory, PoolJob, PoolListener, PoolResult, PoolTask } from "../../contract/pool.ts";
import { outOfDescriptors } from "../../cores/open-files.ts";
import { awake } from "../../worker/awake-clock.ts";
import type { CrewSettings, LinkEvents, StartWorker, WorkerEnd } from "../../worker/worker-link.ts";
import { type FromWorker, RESULT_FIELDS, type ResultsMessage } from "../../worker/worker-message.ts";
import { type CrewOptions, crewSettings } from "../pool-options.ts";
import { ChunkSize } from "./chunk-size.ts";
import { CrewMember, type Entry, reasonOf } from "./crew-member.ts";
import { LimitWatch, timerMs } from "./limit-watch.ts";
import { OpenTasks, soon } from "./open-tasks.ts";
import { brokenBy, futileStarts, type PoolBroken, setupTooLong } from "./pool-broken.ts";
import { answered, givenUp, LOSS_BUDGET, timedOut } from "./task-results.ts";

/** Workers that may end one after the other without a task answered or to blame. */
const FUTILE_STARTS = 3;
/** A worker that does not end this long after it was killed (stuck in native code) is left behind. */
const STUCK_MS = 5000;

/**
 * A pool whose workers are whatever `startWorker` starts: threads, processes, or something on another machine. `bootMs`
 * is how long one may take until it is first heard of; without it, as long as it takes.
 */
export function crewPool(kind: string, options: CrewOptions, startWorker: StartWorker, bootMs?: number): PoolFactory {
  const settings = crewSettings(options);
  const { workers } = settings;
  return { kind, workers, open: (job, listener) => new Crew(kind, settings, { startWorker, bootMs }, job, listener) };
}

interface Starting {
  readonly startWorker: StartWorker;
  readonly bootMs: number | undefined;
}

/**
 * A pool of workers, whatever they are: hands out chunks, sees to limits, replaces workers that die or must be ended,
 * and puts every task's fate on the right one. Threads, processes and `inline` differ only in their {@link StartWorker}.
 */
class Crew implements Pool {
  readonly kind: string;
  readonly workers: number;
  readonly maxInFlight: number;
  readonly #job: PoolJob;
  readonly #listener: PoolListener;
  readonly #settings: CrewSettings;
  readonly #starting: Starting;
  readonly #chunk: ChunkSize;
  readonly #tasks: OpenTasks<Entry>;
  readonly #members: CrewMember[] = [];
  /** Aborted while queued: told in the next pump, because `abort` itself may not call the listener. */
  #gone: number[] = [];
  readonly #pumpSoon = soon(() => this.#pump());
  #startCount = 0;
  #futileEnds = 0;
  readonly #limits: LimitWatch;
  #broken = false;
  #closing: { readonly promise: Promise<void>; readonly done: () => void } | undefined;
  #closeTimer: NodeJS.Timeout | undefined;

  constructor(kind: string, settings: CrewSettings, starting: Starting, job: PoolJob, listener: PoolListener) {
    this.kind = kind;
    this.workers = settings.workers;
    this.maxInFlight = settings.maxInFlight;
    this.#tasks = new OpenTasks(settings.maxInFlight);
    this.#limits = new LimitWatch(this.#members, settings.graceMs, (member) => this.#kill(member));
    this.#chunk = new ChunkSize(settings.chunk, settings.ahead);
    this.#job = job;
    this.#listener = listener;
    this.#settings = settings;
    this.#starting = starting;
    for (let worker = 0; worker < settings.workers; worker++) this.#start(worker);
  }

  submit(task: PoolTask): void {
    this.#tasks.admit({ id: task.id, task, losses: 0, aborted: false, member: undefined });
    this.#pumpSoon();
  }

  abort(id: number): void {
    const entry = this.#tasks.abort(id);
    if (entry === undefined) return;
    if (entry.member === undefined) {
      this.#gone.push(id);
      this.#pumpSoon();
      return;
    }
    entry.member.link.post(["abort", id]);
    this.#limits.aborted();
  }

  close(deadlineMs: number): Promise<void> {
    clearTimeout(this.#closeTimer);
    this.#closeTimer = setTimeout(() => this.#force(), timerMs(deadlineMs));
    if (this.#closing !== undefined) return this.#closing.promise;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = { promise, done: resolve };
    this.#tasks.close();
    for (const member of this.#members) {
      if (member.state === "ready") member.link.post(["close"]);
      else if (member.state === "starting") this.#kill(member);
    }
    setImmediate(() => this.#closedIfAllEnded());
    return promise;
  }

  #start(worker: number): void {
    const member = new CrewMember(worker);
    this.#members[worker] = member;
    const mark = `${this.#job.runToken}/${this.#startCount++}`;
    const events: LinkEvents = {
      message: (message) => this.#receive(member, message),
      output: (text) => this.#log(member, member.printed(text)),
      ended: (end) => this.#ended(member, end),
    };
    const { startWorker, bootMs } = this.#starting;
    try {
      member.attach(startWorker(this.#job, mark, events, this.#settings));
      if (bootMs !== undefined) member.endSetupWatch = afterLooking(bootMs, () => this.#bootTimedOut(bootMs));
    } catch (error) {
      // Told later: whoever opens this pool does not have it yet.
      member.state = "ended";
      const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
      queueMicrotask(() => this.#unstartable(message, stack));
    }
  }

  #pump(): void {
    this.#tellGone();
    const { waiting } = this.#tasks;
    while (waiting.length > 0 && !this.#broken && this.#closing === undefined) {
      const plenty = waiting.length >= 2 * this.workers;
      let places = 0;
      let working = 0;
      let idle = 0;
      let next: CrewMember | undefined;
      for (const member of this.#members) {
        if (member.state !== "ready" || member.verdict !== undefined) continue;
        working++;
        if (member.handed.length === 0) idle++;
        const own = this.#chunk.places(member.handed.length, member.chunks, plenty);
        if (own === 0) continue;
        places += own;
        if (next === undefined || member.handed.length < next.handed.length) next = member;
      }
      if (next === undefined) return;
      this.#hand(next, waiting.take(this.#chunk.next(waiting.length, { places, working, idle })));
    }
  }

  #tellGone(): void {
    const gone = this.#gone;
    this.#gone = [];
    for (const id of gone) {
      this.#tasks.delete(id);
      if (!this.#broken) this.#listener.aborted(id);
    }
  }

  #hand(member: CrewMember, entries: readonly Entry[]): void {
    member.hand(entries);
    let limitMs = Number.POSITIVE_INFINITY;
    for (const { task } of entries) if (task.timeoutMs > 0) limitMs = Math.min(limitMs, task.timeoutMs);
    if (limitMs < Number.POSITIVE_INFINITY) {
      awake.clock.start();
      this.#limits.lookIn(limitMs);
    }
    this.#listener.started(
      member.identity(),
      entries.map(({ id }) => id),
    );
  }

  #receive(member: CrewMember, message: FromWorker): void {
    if (this.#broken || member.state === "ended") return;
    switch (message[0]) {
      case "results":
        this.#receiveResults(member, message);
        return;
      case "booted":
        member.endSetupWatch();
        if (this.#job.setupTimeoutMs > 0) {
          member.endSetupWatch = afterLooking(this.#job.setupTimeoutMs, () => this.#setupTimedOut(member));
        }
        return;
      case "ready":
        member.endSetupWatch();
        if (member.verdict !== undefined) return;
        member.state = "ready";
        this.#listener.worker(member.identity(), "ready");
        this.#pumpSoon();
        return;
      case "broken":
        this.#break(brokenBy(message[1], message[2], this.workers));
        return;
      case "progress":
        if (this.#tasks.has(message[1])) this.#listener.progress(message[1], message[2]);
        return;
      case "log":
        member.remember([message[1]]);
        this.#listener.log(member.worker, message[1], message[2]);
        return;
      case "timers":
        this.#listener.timers(member.worker, message[1]);
        return;
      case "dying":
        return;
    }
  }

  #receiveResults(member: CrewMember, message: ResultsMessage): void {
    const entries = member.answer((message.length - 1) / RESULT_FIELDS);
    const settled: PoolResult[] = [];
    let at = 1;
    for (const entry of entries) {
      const elapsedMs = message[at + 1] as number;
      const result = answered(member, entry, message[at], elapsedMs, message[at + 2] as string);
      if (result !== undefined) this.#chunk.measured(elapsedMs);
      at += RESULT_FIELDS;
      entry.member = undefined;
      if (entry.aborted && !result?.ok) {
        this.#gone.push(entry.id);
        continue;
      }
      this.#tasks.delete(entry.id);
      if (result !== undefined) settled.push(result);
    }
    this.#futileEnds = 0;
    // It ended by itself within its grace; the worker goes all the same, because something may be left of it.
    if (member.verdict?.kind === "timeout" && entries.includes(member.verdict.entry)) this.#kill(member);
    if (settled.length > 0) this.#listener.settled(settled);
    if (this.#gone.length > 0 || this.#tasks.waiting.length > 0) this.#pumpSoon();
  }

  #kill(member: CrewMember): void {
    if (member.state === "ended" || member.stuckTimer !== undefined) return;
    member.verdict ??= { kind: "close" };
    member.killAtMs = undefined;
    member.endSetupWatch();
    member.stuckTimer = setTimeout(
      () => this.#ended(member, { reason: `could not be stopped within ${STUCK_MS} ms` }),
      STUCK_MS,
    );
    member.link.kill();
  }

  #ended(member: CrewMember, end: WorkerEnd): void {
    if (member.state === "ended") return;
    const neverReady = member.state === "starting";
    const current = neverReady ? undefined : member.current()?.entry;
    member.state = "ended";
    member.endSetupWatch();
    clearTimeout(member.stuckTimer);
    if (!this.#broken) {
      const { verdict } = member;
      const reason = verdict !== undefined ? reasonOf(verdict.kind) : this.#closing ? reasonOf("close") : end.reason;
      if (!neverReady) this.#listener.worker(member.identity(), "ended", reason);
      const culprit = verdict === undefined ? current : "entry" in verdict ? verdict.entry : undefined;
      const futile = verdict === undefined && culprit === undefined && member.answered === 0;
      this.#returnTasks(member, culprit, end, reason);
      if (this.#closing === undefined) this.#replace(member, end, futile);
    }
    this.#closedIfAllEnded();
  }

  /** Settles the task its worker was ended for or died under; puts the others back in the queue. */
  #returnTasks(member: CrewMember, culprit: Entry | undefined, end: WorkerEnd, reason: string): void {
    const settled: PoolResult[] = [];
    for (const entry of member.answer(member.handed.length)) {
      entry.member = undefined;
      if (entry.aborted) {
        this.#gone.push(entry.id);
      } else if (this.#closing !== undefined && member.verdict?.kind !== "timeout") {
        this.#tasks.delete(entry.id);
      } else if (entry !== culprit) {
        this.#tasks.waiting.add(entry);
        this.#listener.requeued(entry.id, 0, reason);
      } else {
        const result = this.#verdictOn(member, entry, end, reason);
        if (result !== undefined) settled.push(result);
      }
    }
    if (settled.length > 0) this.#listener.settled(settled);
    this.#pumpSoon();
  }

  #verdictOn(member: CrewMember, entry: Entry, end: WorkerEnd, reason: string): PoolResult | undefined {
    if (member.verdict?.kind !== "timeout" && ++entry.losses < LOSS_BUDGET) {
      this.#tasks.waiting.add(entry);
      this.#listener.requeued(entry.id, entry.losses, reason);
      return undefined;
    }
    this.#tasks.delete(entry.id);
    return member.verdict?.kind === "timeout" ? timedOut(member, entry, end) : givenUp(member, entry, end);
  }

  #replace(member: CrewMember, end: WorkerEnd, futile: boolean): void {
    if (outOfDescriptors(end.reason)) {
      this.#unstartable(end.reason, end.stack ?? "");
      return;
    }
    if (futile) this.#futileEnds++;
    if (this.#futileEnds >= FUTILE_STARTS) {
      this.#break(futileStarts(this.#job, FUTILE_STARTS, end));
      return;
    }
    this.#start(member.worker);
  }

  #unstartable(reason: string, stack: string): void {
    this.#break(brokenBy(`a worker could not be started: ${reason}`, stack, this.workers));
    this.#closedIfAllEnded();
  }

  #bootTimedOut(bootMs: number): void {
    const limits = "the limits on processes, threads (ulimit -u) and memory may leave it no room";
    this.#unstartable(`nothing was heard of it for ${bootMs / 1000} s; ${limits}`, "");
  }

  #setupTimedOut(member: CrewMember): void {
    member.verdict = { kind: "setup" };
    this.#break(setupTooLong(this.#job, member.link.sameThread === true));
  }

  #break(error: PoolBroken): void {
    if (this.#broken || this.#closing !== undefined) return;
    this.#broken = true;
    this.#tasks.clear();
    this.#force();
    this.#listener.broken(error);
  }

  #force(): void {
    for (const member of this.#members) this.#kill(member);
  }

  #log(member: CrewMember, lines: readonly string[]): void {
    for (const line of lines) this.#listener.log(member.worker, line);
  }

  #closedIfAllEnded(): void {
    if (this.#closing === undefined || this.#members.some(({ state }) => state !== "ended")) return;
    clearTimeout(this.#closeTimer);
    this.#limits.stop();
    this.#tellGone();
    this.#tasks.clear();
    endMarkedProcesses(this.#job.runToken);
    this.#closing.done();
  }
}
