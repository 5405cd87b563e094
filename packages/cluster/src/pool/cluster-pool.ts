import { hash } from "node:crypto";
import { failureType } from "@coppice/engine";
import type { Pool, PoolFactory, PoolJob, PoolListener, PoolResult, PoolTask } from "@coppice/engine/pools";
import {
  ChunkSize,
  type CrewOptions,
  type CrewSettings,
  crewSettings,
  LOSS_BUDGET,
  TaskQueue,
} from "@coppice/engine/worker";
import { type ClusterPlace, clusterPlace, shownAddress } from "../place/redis-address.ts";
import {
  type Carried,
  type CarriedResult,
  type ChunkData,
  LONG_BYTES,
  PROTOCOL,
  type Report,
  type Saying,
} from "../protocol.ts";
import { bundleOf } from "./bundle.ts";
import { type DescribedRun, describeRun } from "./describe-run.ts";
import { RunLine } from "./run-line.ts";
import { type Seat, Seats } from "./seats.ts";

/** About as much work per job as makes the queue's own cost small; a worker fetches its next chunk when it hands in the last. */
const PACE = { targetMs: 50, most: 512, aheadBelowMs: Number.POSITIVE_INFINITY, journeyMs: 1 };
const TICK_MS = 1000;
/** Looks in a row after which something that Redis does not have counts as lost, and not as on its way. */
const LOOKS = 2;
/** When nobody takes a seat for this long, people are told. */
const NOBODY_MS = 5000;
/** What workers may take to leave after their deadline. */
const LEAVE_MS = 5000;

/** A task that is not settled yet. */
interface Entry {
  readonly id: number;
  readonly task: PoolTask;
  /** The chunk it travels in. */
  job: string | undefined;
  started: boolean;
  aborted: boolean;
  /** Its value has been sent by reference and is being fetched. */
  arriving: boolean;
  losses: number;
  /** Its candidate, where that went by reference. */
  blob: string | undefined;
}

interface Chunk {
  readonly id: string;
  readonly entries: readonly Entry[];
  missing: number;
}

/** Workers on any number of machines, met in a Redis; see docs/cluster.md. */
export function cluster(options: CrewOptions = {}, place = clusterPlace(), workersThere = 0): PoolFactory {
  const endless = options.workers === undefined || options.workers === "auto";
  const workers = endless ? Math.max(1, workersThere) : (options.workers as number);
  const settings = crewSettings({ ...options, workers, oversubscribe: true });
  return {
    kind: "cluster",
    workers: settings.workers,
    open: (job, listener) => new ClusterPool(place, settings, endless, job, listener),
  };
}

/**
 * The coordinator's part: which tasks wait, which travel in which chunk, who has left or died with what. Each worker is a
 * pool of the engine on its own machine, so that limits, aborts and deaths are judged there, by the same code as everywhere.
 */
class ClusterPool implements Pool {
  readonly kind = "cluster";
  readonly workers: number;
  readonly maxInFlight: number;
  readonly #place: ClusterPlace;
  readonly #settings: CrewSettings;
  readonly #job: PoolJob;
  readonly #listener: PoolListener;
  readonly #line: RunLine;
  readonly #seats: Seats;
  readonly #chunk: ChunkSize;
  readonly #waiting = new TaskQueue<Entry>();
  readonly #entries = new Map<number, Entry>();
  readonly #chunks = new Map<string, Chunk>();
  readonly #refusals = new Map<string, string>();
  #described: DescribedRun | undefined;
  #toAbort: Entry[] = [];
  #pumpScheduled = false;
  #broken = false;
  #nobodySince: number | undefined = performance.now();
  #closing: { readonly promise: Promise<void>; readonly done: () => void } | undefined;
  #closeTimer: NodeJS.Timeout | undefined;
  readonly #ticking: NodeJS.Timeout;

  constructor(place: ClusterPlace, settings: CrewSettings, endless: boolean, job: PoolJob, listener: PoolListener) {
    this.workers = settings.workers;
    this.maxInFlight = settings.maxInFlight;
    this.#place = place;
    this.#settings = settings;
    this.#job = job;
    this.#listener = listener;
    this.#chunk = new ChunkSize(settings.chunk, settings.ahead, PACE);
    this.#seats = new Seats(settings.workers, endless);
    this.#line = new RunLine(place, {
      says: (saying) => this.#hear(saying),
      completed: (id, saying) => {
        this.#hear(saying);
        this.#handedIn(id);
      },
      stalled: (id) => this.#lost(id, "its worker has not been heard of"),
      failed: (id, reason) => {
        this.#lost(id, reason);
        this.#handedIn(id);
      },
    });
    this.#ticking = setInterval(() => void this.#trying(this.#tick()), TICK_MS);
    void this.#trying(this.#open());
  }

  submit(task: PoolTask): void {
    if (this.#broken || this.#closing !== undefined) throw new Error(`task ${task.id} submitted to a closed pool`);
    if (this.#entries.size >= this.maxInFlight) {
      throw new RangeError(`task ${task.id} submitted beyond maxInFlight (${this.maxInFlight} unsettled tasks)`);
    }
    if (this.#entries.has(task.id)) throw new Error(`task ${task.id} submitted twice`);
    const state = { job: undefined, started: false, aborted: false, arriving: false, losses: 0, blob: undefined };
    const entry: Entry = { id: task.id, task, ...state };
    this.#entries.set(task.id, entry);
    this.#waiting.add(entry);
    this.#schedulePump();
  }

  abort(id: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.aborted) return;
    entry.aborted = true;
    if (entry.job === undefined) this.#waiting.remove(id);
    this.#toAbort.push(entry);
    this.#schedulePump();
  }

  close(deadlineMs: number): Promise<void> {
    clearTimeout(this.#closeTimer);
    this.#closeTimer = setTimeout(() => void this.#end(), Math.min(2_147_483_647, deadlineMs + LEAVE_MS));
    void this.#trying(this.#line.order(["close", deadlineMs]));
    if (this.#closing !== undefined) return this.#closing.promise;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = { promise, done: resolve };
    for (const entry of this.#waiting.take(this.#waiting.length)) this.#entries.delete(entry.id);
    void this.#trying(this.#sendHome());
    return promise;
  }

  // ── tasks on their way out ────────────────────────────────────────────────────────────────────────────────

  async #open(): Promise<void> {
    await this.#announce();
    await Promise.all(this.#seats.all.map((seat) => this.#invite(seat)));
  }

  async #announce(): Promise<void> {
    this.#described ??= describeRun(this.#job, this.#settings);
    await this.#line.announce(this.#described.description);
  }

  async #invite(seat: Seat): Promise<void> {
    if (this.#closing !== undefined || this.#broken) return;
    seat.job = `${this.#line.run}-${seat.number}-${seat.invitations++}`;
    seat.missing = 0;
    await this.#line.invite(seat.job, { protocol: PROTOCOL, run: this.#line.run, seat: seat.number });
  }

  #schedulePump(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#pumpScheduled = false;
    this.#abortThose(this.#toAbort.splice(0));
    const chunks: Chunk[] = [];
    while (this.#waiting.length > 0 && !this.#broken && this.#closing === undefined) {
      const working = this.#seats.ready;
      const places = working * (this.#chunk.ahead() ? 2 : 1) - this.#chunks.size;
      if (places <= 0) break;
      const idle = Math.max(0, working - this.#chunks.size);
      const entries = this.#waiting.take(this.#chunk.next(this.#waiting.length, { places, working, idle }));
      const chunk: Chunk = { id: this.#chunkId(entries), entries, missing: 0 };
      for (const entry of entries) entry.job = chunk.id;
      this.#chunks.set(chunk.id, chunk);
      chunks.push(chunk);
    }
    if (chunks.length > 0) void this.#trying(this.#send(chunks));
  }

  /** The same tasks in the same attempt are the same job: it cannot be queued twice. */
  #chunkId(entries: readonly Entry[]): string {
    const parts = entries.map(({ id, task: { key, attempt } }) => [id, key, attempt]);
    return `c${hash("sha256", JSON.stringify([this.#line.run, parts]), "hex").slice(0, 40)}`;
  }

  async #send(chunks: readonly Chunk[]): Promise<void> {
    const jobs: { id: string; data: ChunkData }[] = [];
    for (const { id, entries } of chunks) {
      const tasks: ChunkData["tasks"][number][] = [];
      for (const entry of entries) {
        const { key, attempt, timeoutMs, candidate } = entry.task;
        tasks.push([entry.id, key, attempt, timeoutMs, await this.#carried(entry, candidate)]);
      }
      jobs.push({ id, data: { tasks } });
    }
    await this.#line.add(jobs);
  }

  async #carried(entry: Entry, candidate: string): Promise<Carried> {
    if (candidate.length <= LONG_BYTES) return candidate;
    entry.blob = await this.#line.put(Buffer.from(JSON.stringify(candidate)));
    return { blob: entry.blob };
  }

  #abortThose(aborted: readonly Entry[]): void {
    const byChunk = new Map<string, Entry[]>();
    for (const entry of aborted) {
      if (!this.#entries.has(entry.id)) continue;
      if (entry.job === undefined) this.#gone(entry);
      else byChunk.set(entry.job, [...(byChunk.get(entry.job) ?? []), entry]);
    }
    for (const [job, entries] of byChunk) void this.#trying(this.#abortIn(job, entries));
  }

  /** A chunk that waits is taken back; a worker that has it is told. */
  async #abortIn(job: string, entries: readonly Entry[]): Promise<void> {
    const chunk = this.#chunks.get(job);
    if (chunk?.entries.every(({ started }) => !started) && (await this.#line.takeBack(job))) this.#handedIn(job);
    else await this.#line.order(["abort", entries.map(({ id }) => id)]);
  }

  // ── what comes back ───────────────────────────────────────────────────────────────────────────────────────

  #hear(saying: Saying): void {
    const { seat, current, reports, gone } = this.#seats.hear(saying);
    if (gone !== undefined && !this.#broken) {
      this.#listener.worker(gone, "ended", "another worker has taken its place");
    }
    for (const report of reports) {
      if (this.#broken ? report[0] === "left" : current || report[0] === "settled") this.#report(seat, report);
    }
    const more = current && !this.#broken ? this.#seats.grow() : undefined;
    if (more !== undefined) void this.#trying(this.#invite(more));
  }

  #report(seat: Seat, report: Report): void {
    switch (report[0]) {
      case "started": {
        const ids = report[1].filter((id) => this.#entries.has(id));
        for (const id of ids) this.#mark(id, true);
        if (ids.length > 0 && seat.identity !== undefined) this.#listener.started(seat.identity, ids);
        return;
      }
      case "settled":
        this.#settle(seat, report[1]);
        return;
      case "requeued":
        if (!this.#entries.has(report[1])) return;
        this.#mark(report[1], false);
        this.#listener.requeued(report[1], report[2], report[3]);
        return;
      case "aborted": {
        const entry = this.#entries.get(report[1]);
        if (entry?.aborted) this.#gone(entry);
        return;
      }
      case "progress":
        if (this.#entries.has(report[1])) this.#listener.progress(report[1], report[2]);
        return;
      case "log":
        this.#listener.log(seat.number, report[1]);
        return;
      case "worker":
        this.#listener.worker(this.#seats.worker(seat, report[1], report[2] === "ready"), report[2], report[3]);
        this.#schedulePump();
        return;
      case "timers":
        this.#listener.timers(seat.number, report[1]);
        return;
      case "broken":
        this.#break(Object.assign(new Error(report[1]), { name: "PoolBroken", detail: report[2] }));
        return;
      case "refused":
        this.#refusals.set(seat.workerId, `${seat.host}: ${report[1]}`);
        this.#listener.note?.(`a worker on ${seat.host} does not work for this run: ${report[1]}`);
        this.#seats.vacate(seat);
        return;
      case "needs":
        void this.#trying(this.#provide(report[1]));
        return;
      case "left":
        this.#leave(seat, report[1]);
        return;
    }
  }

  #mark(id: number, started: boolean): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.started = started;
  }

  #settle(seat: Seat, results: readonly CarriedResult[]): void {
    const settled: PoolResult[] = [];
    for (const carried of results) {
      const entry = this.#entries.get(carried.id);
      if (entry === undefined) continue;
      if (carried.ok && typeof carried.encoded !== "string") {
        entry.arriving = true;
        void this.#trying(this.#fetchValue(seat, entry, carried.elapsedMs, carried.encoded.blob));
        continue;
      }
      this.#chunk.measured(carried.elapsedMs);
      this.#entries.delete(entry.id);
      this.#dropCandidate(entry);
      // A failure after an abort is no result.
      if (entry.aborted && !carried.ok) this.#listener.aborted(entry.id);
      // Cast: the value is a text, see above.
      else settled.push({ ...carried, worker: seat.number } as PoolResult);
    }
    if (settled.length > 0) this.#listener.settled(settled);
    this.#schedulePump();
  }

  async #fetchValue(seat: Seat, entry: Entry, elapsedMs: number, blob: string): Promise<void> {
    const bytes = await this.#line.fetch(blob);
    entry.arriving = false;
    if (bytes === undefined) {
      // Lost on its way: it is worked out again.
      if (entry.job === undefined || !this.#chunks.has(entry.job)) this.#backInLine(entry);
      return;
    }
    const encoded = JSON.parse(bytes.toString()) as string;
    this.#settle(seat, [{ id: entry.id, worker: seat.number, elapsedMs, ok: true, encoded }]);
    await this.#line.drop(blob);
  }

  /** A chunk has been handed in or taken back: what it did not settle waits again. */
  #handedIn(id: string): void {
    const chunk = this.#chunks.get(id);
    if (chunk === undefined) return;
    this.#chunks.delete(id);
    for (const entry of chunk.entries) {
      if (this.#entries.get(entry.id) === entry && entry.job === id && !entry.arriving) this.#backInLine(entry);
    }
    this.#schedulePump();
  }

  #backInLine(entry: Entry): void {
    entry.job = undefined;
    if (entry.aborted) this.#gone(entry);
    else if (this.#closing !== undefined) this.#entries.delete(entry.id);
    else {
      if (entry.started) this.#listener.requeued(entry.id, 0, "its worker has left");
      entry.started = false;
      this.#waiting.add(entry);
      this.#schedulePump();
    }
  }

  /** The worker of a chunk is gone. The task that it was at is to blame, as far as can be known from here. */
  #lost(id: string, reason: string): void {
    if (this.#broken) return;
    const unsettled = this.#chunks.get(id)?.entries.filter((entry) => this.#entries.get(entry.id) === entry) ?? [];
    const culprit = unsettled.find(({ started }) => started);
    for (const entry of unsettled) {
      if (!entry.started) continue;
      entry.started = false;
      if (entry === culprit && ++entry.losses >= LOSS_BUDGET) this.#giveUp(entry);
      else this.#listener.requeued(entry.id, entry === culprit ? entry.losses : 0, reason);
    }
  }

  #giveUp(entry: Entry): void {
    this.#entries.delete(entry.id);
    this.#dropCandidate(entry);
    const failure = { type: failureType.workerLost, message: `the worker died under this task ${LOSS_BUDGET} times` };
    const detail = { timedOut: false, workerLost: true };
    this.#listener.settled([{ id: entry.id, worker: 0, elapsedMs: 0, ok: false, failure, detail }]);
    void this.#trying(this.#line.order(["abort", [entry.id]]));
  }

  #gone(entry: Entry): void {
    if (!this.#entries.delete(entry.id)) return;
    this.#dropCandidate(entry);
    if (!this.#broken) this.#listener.aborted(entry.id);
  }

  #dropCandidate(entry: Entry): void {
    if (entry.blob !== undefined) void this.#trying(this.#line.drop(entry.blob));
  }

  async #provide(what: string): Promise<void> {
    const bytes = what === "bundle" ? await bundleOf(this.#job.evaluatorUrl) : this.#described?.bytes.get(what);
    if (bytes === undefined) return;
    await this.#line.order(["sent", what, await this.#line.put(bytes)]);
  }

  #leave(seat: Seat, reason: string): void {
    const gone = this.#seats.vacate(seat);
    if (gone !== undefined && !this.#broken) this.#listener.worker(gone, "ended", reason);
    seat.job = "";
    if (this.#closing === undefined) void this.#trying(this.#invite(seat));
    else this.#endWhenAllLeft();
  }

  // ── looking after ─────────────────────────────────────────────────────────────────────────────────────────

  async #tick(): Promise<void> {
    if (this.#described === undefined || this.#broken || this.#closing !== undefined) return;
    if (!(await this.#line.beat())) await this.#announce();
    await this.#lookForLost();
    await this.#lookForWorkers();
  }

  /** Redis may forget anything at any time: what it does not have is sent again. */
  async #lookForLost(): Promise<void> {
    const seats = this.#seats.all.filter(({ job }) => job !== "");
    const missing = await this.#line.missing(
      [...this.#chunks.keys()],
      seats.map(({ job }) => job),
    );
    for (const chunk of [...this.#chunks.values()]) {
      chunk.missing = missing.has(chunk.id) ? chunk.missing + 1 : 0;
      if (chunk.missing >= LOOKS) this.#handedIn(chunk.id);
    }
    for (const seat of seats) {
      seat.missing = missing.has(seat.job) ? seat.missing + 1 : 0;
      if (seat.missing >= LOOKS) this.#leave(seat, "Redis has forgotten it");
    }
  }

  async #lookForWorkers(): Promise<void> {
    const taken = this.#seats.taken;
    const alive = await this.#line.workersAlive([...new Set(taken.map(({ workerId }) => workerId))]);
    for (const seat of taken) {
      const silent = !alive.has(seat.workerId);
      if (silent === seat.silent) continue;
      // What it is at goes to somebody else when its claim expires; until it is back nothing is sent for it.
      seat.silent = silent;
      if (!seat.ready || seat.identity === undefined) continue;
      if (silent) this.#listener.worker(seat.identity, "ended", `nothing has been heard from ${seat.host}`);
      else this.#listener.worker(seat.identity, "ready");
      this.#schedulePump();
    }
    if (taken.length > 0) this.#nobodySince = undefined;
    else await this.#sayThatNobodyWorks();
  }

  async #sayThatNobodyWorks(): Promise<void> {
    this.#nobodySince ??= performance.now();
    if (performance.now() - this.#nobodySince < NOBODY_MS) return;
    const there = await this.#line.workers();
    const refusals = there.map((id) => this.#refusals.get(id));
    if (there.length > 0 && refusals.every((refusal) => refusal !== undefined)) {
      this.#break(new Error(`no worker can work for this run: ${[...new Set(refusals)].join("; ")}`));
      return;
    }
    this.#nobodySince = Number.POSITIVE_INFINITY;
    const who = there.length === 0 ? "nobody works" : `all ${there.length} workers are busy`;
    const { queue } = this.#place;
    const start = there.length === 0 ? `: start "coppice worker --redis …" somewhere` : "";
    this.#listener.note?.(`${who} on queue ${JSON.stringify(queue)} at ${shownAddress(this.#place)}${start}; waiting`);
  }

  // ── the end ───────────────────────────────────────────────────────────────────────────────────────────────

  #break(error: Error): void {
    if (this.#broken || this.#closing !== undefined) return;
    this.#broken = true;
    this.#waiting.clear();
    this.#entries.clear();
    void this.#trying(this.#line.order(["close", 0]));
    this.#listener.broken(error);
  }

  async #sendHome(): Promise<void> {
    await this.#line.forgetWaiting();
    for (const seat of this.#seats.all) {
      if (seat.job === "") continue;
      // Who has it already is on the way here, or says so in a moment.
      if ((await this.#line.uninvite(seat.job)) && seat.sitting === undefined) seat.job = "";
    }
    this.#endWhenAllLeft();
  }

  #endWhenAllLeft(): void {
    if (this.#seats.all.every(({ sitting, job }) => sitting === undefined && job === "")) void this.#end();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#closeTimer);
    clearInterval(this.#ticking);
    await this.#line.close();
    for (const { identity, ready, silent } of this.#seats.all) {
      if (ready && !silent && identity !== undefined && !this.#broken)
        this.#listener.worker(identity, "ended", "the pool closed");
    }
    this.#entries.clear();
    this.#closing?.done();
  }

  /** What goes wrong with Redis is tried again by its client; what arrives here is a mistake, or the end. */
  async #trying(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (this.#closing !== undefined || this.#broken) return;
      this.#break(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
