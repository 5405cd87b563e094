import { shownAddress } from "../place/redis-address.ts";
import type { ClusterRun } from "./cluster-run.ts";
import type { Reception } from "./reception.ts";
import type { Returns } from "./returns.ts";

const TICK_MS = 1000;
/** Looks in a row after which something that Redis does not have counts as lost, and not as on its way. */
const LOOKS = 2;
/** When nobody takes a seat for this long, people are told. */
const NOBODY_MS = 5000;

/** Looks every second whether Redis still has what it was given, and whether the workers are alive. */
export class Watch {
  readonly #run: ClusterRun;
  readonly #returns: Returns;
  readonly #reception: Reception;
  readonly #ticking: NodeJS.Timeout;
  #nobodySince: number | undefined = performance.now();

  constructor(run: ClusterRun, returns: Returns, reception: Reception) {
    this.#run = run;
    this.#returns = returns;
    this.#reception = reception;
    this.#ticking = setInterval(() => void run.ending.attempt(this.#look()), TICK_MS);
  }

  end(): void {
    clearInterval(this.#ticking);
  }

  async #look(): Promise<void> {
    if (this.#run.ending.begun) return;
    if (!(await this.#run.line.beat())) await this.#reception.announce();
    await this.#lookForLost();
    await this.#lookForWorkers();
  }

  /** Redis may forget anything at any time: what it does not have is sent again. */
  async #lookForLost(): Promise<void> {
    const { line, tasks, seats } = this.#run;
    const invited = seats.all.filter(({ job }) => job !== "");
    const missing = await line.missing(
      [...tasks.chunks.keys()],
      invited.map(({ job }) => job),
    );
    for (const chunk of [...tasks.chunks.values()]) {
      chunk.missing = missing.has(chunk.id) ? chunk.missing + 1 : 0;
      if (chunk.missing >= LOOKS) this.#returns.handedIn(chunk.id);
    }
    for (const seat of invited) {
      seat.missing = missing.has(seat.job) ? seat.missing + 1 : 0;
      if (seat.missing >= LOOKS) this.#reception.left(seat, "Redis has forgotten it");
    }
  }

  async #lookForWorkers(): Promise<void> {
    const { line, seats, listener } = this.#run;
    const { taken } = seats;
    const alive = await line.workersAlive([...new Set(taken.map(({ workerId }) => workerId))]);
    for (const seat of taken) {
      const silent = !alive.has(seat.workerId);
      if (silent === seat.silent) continue;
      // What it is at goes to somebody else when its claim expires; until it is back nothing is sent for it.
      seat.silent = silent;
      if (!seat.ready || seat.identity === undefined) continue;
      if (silent) listener.worker(seat.identity, "ended", `nothing has been heard from ${seat.host}`);
      else listener.worker(seat.identity, "ready");
      this.#run.sendSoon();
    }
    if (taken.length > 0) this.#nobodySince = undefined;
    else await this.#sayThatNobodyWorks();
  }

  async #sayThatNobodyWorks(): Promise<void> {
    this.#nobodySince ??= performance.now();
    if (performance.now() - this.#nobodySince < NOBODY_MS) return;
    const { place, line, listener, ending } = this.#run;
    const there = await line.workers();
    const refusals = there.map((id) => this.#reception.refusals.get(id));
    if (there.length > 0 && refusals.every((refusal) => refusal !== undefined)) {
      ending.break(new Error(`no worker can work for this run: ${[...new Set(refusals)].join("; ")}`));
      return;
    }
    this.#nobodySince = Number.POSITIVE_INFINITY;
    const who = there.length === 0 ? "nobody works" : `all ${there.length} workers are busy`;
    const start = there.length === 0 ? `: start "coppice worker --redis …" somewhere` : "";
    listener.note?.(`${who} on queue ${JSON.stringify(place.queue)} at ${shownAddress(place)}${start}; waiting`);
  }
}
