import { PROTOCOL } from "../protocol.ts";
import { bundleOf } from "./bundle.ts";
import type { ClusterRun } from "./cluster-run.ts";
import { type DescribedRun, describeRun } from "./describe-run.ts";
import type { Seat } from "./seats.ts";

/** Invites workers, gives them what they need to take part, and knows who came, left or would not. */
export class Reception {
  readonly #run: ClusterRun;
  /** Why workers do not work for this run, by their ids. */
  readonly refusals = new Map<string, string>();
  #described: DescribedRun | undefined;

  constructor(run: ClusterRun) {
    this.#run = run;
  }

  async open(): Promise<void> {
    await this.announce();
    await Promise.all(this.#run.seats.all.map((seat) => this.#invite(seat)));
  }

  /** Says that there is such a run; again, when Redis has forgotten it. */
  async announce(): Promise<void> {
    this.#described ??= describeRun(this.#run.job, this.#run.settings);
    await this.#run.line.announce(this.#described.description);
  }

  async #invite(seat: Seat): Promise<void> {
    const { line, ending } = this.#run;
    if (ending.begun) return;
    seat.job = `${line.run}-${seat.number}-${seat.invitations++}`;
    seat.missing = 0;
    await line.invite(seat.job, { protocol: PROTOCOL, run: line.run, seat: seat.number });
  }

  /** One more, when all seats are taken and nobody said how many there may be. */
  inviteMore(): void {
    const { seats, ending } = this.#run;
    const more = ending.broken ? undefined : seats.grow();
    if (more !== undefined) void ending.attempt(this.#invite(more));
  }

  /** A worker's thread or process is ready, or has ended. */
  worker(
    seat: Seat,
    process: { readonly pid: number; readonly pidStart: string },
    state: "ready" | "ended",
    reason: string | undefined,
  ): void {
    const { seats, listener } = this.#run;
    listener.worker(seats.worker(seat, process, state === "ready"), state, reason);
    this.#run.sendSoon();
  }

  refused(seat: Seat, reason: string): void {
    this.refusals.set(seat.workerId, `${seat.host}: ${reason}`);
    this.#run.listener.note?.(`a worker on ${seat.host} does not work for this run: ${reason}`);
    this.#run.seats.vacate(seat);
  }

  /** Puts what a worker needs where it finds it. */
  provide(what: string): void {
    void this.#run.ending.attempt(this.#provide(what));
  }

  async #provide(what: string): Promise<void> {
    const { job, line } = this.#run;
    const bytes = what === "bundle" ? await bundleOf(job.evaluatorUrl) : this.#described?.bytes.get(what);
    if (bytes === undefined) return;
    await line.order(["sent", what, await line.put(bytes)]);
  }

  /** A seat is free again, and offered to others unless the run ends. */
  left(seat: Seat, reason: string): void {
    const { seats, listener, ending } = this.#run;
    const gone = seats.vacate(seat);
    if (gone !== undefined && !ending.broken) listener.worker(gone, "ended", reason);
    seat.job = "";
    void ending.attempt(this.#invite(seat));
    ending.someoneLeft();
  }
}
