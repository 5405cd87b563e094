import type { Report, Saying } from "../protocol.ts";
import type { ClusterRun } from "./cluster-run.ts";
import type { Reception } from "./reception.ts";
import type { Returns } from "./returns.ts";
import type { Seat } from "./seats.ts";

/** What workers say, passed on to whom it concerns. */
export class Reports {
  readonly #run: ClusterRun;
  readonly #returns: Returns;
  readonly #reception: Reception;

  constructor(run: ClusterRun, returns: Returns, reception: Reception) {
    this.#run = run;
    this.#returns = returns;
    this.#reception = reception;
  }

  hear(saying: Saying): void {
    const { seats, listener, ending } = this.#run;
    const heard = seats.hear(saying);
    if (heard === undefined) return;
    const { seat, current, reports, gone } = heard;
    if (gone !== undefined && !ending.broken) listener.worker(gone, "ended", "another worker has taken its place");
    for (const report of reports) {
      if (ending.broken ? report[0] === "left" : current || report[0] === "settled") this.#report(seat, report);
    }
    if (current) this.#reception.inviteMore();
  }

  #report(seat: Seat, report: Report): void {
    const { tasks, listener, ending } = this.#run;
    switch (report[0]) {
      case "started":
        this.#started(seat, report[1]);
        return;
      case "settled":
        this.#returns.settle(seat.number, report[1]);
        return;
      case "requeued":
        this.#requeued(report[1], report[2], report[3]);
        return;
      case "aborted": {
        const entry = tasks.get(report[1]);
        if (entry?.aborted) this.#returns.gone(entry);
        return;
      }
      case "progress":
        if (tasks.has(report[1])) listener.progress(report[1], report[2]);
        return;
      case "log":
        listener.log(seat.number, report[1], report[2]);
        return;
      case "worker":
        this.#reception.worker(seat, report[1], report[2], report[3]);
        return;
      case "timers":
        listener.timers(seat.number, report[1]);
        return;
      case "broken":
        ending.break(Object.assign(new Error(report[1]), { name: "PoolBroken", detail: report[2] }));
        return;
      case "refused":
        this.#reception.refused(seat, report[1]);
        return;
      case "needs":
        this.#reception.provide(report[1]);
        return;
      case "left":
        this.#reception.left(seat, report[1]);
        return;
    }
  }

  #started(seat: Seat, told: readonly number[]): void {
    const { tasks, listener } = this.#run;
    const entries = told.flatMap((id) => tasks.get(id) ?? []);
    for (const entry of entries) entry.started = true;
    const ids = entries.map(({ id }) => id);
    if (ids.length > 0 && seat.identity !== undefined) listener.started(seat.identity, ids);
  }

  #requeued(id: number, losses: number, reason: string): void {
    const { tasks, listener } = this.#run;
    const entry = tasks.get(id);
    if (entry === undefined) return;
    entry.started = false;
    listener.requeued(id, losses, reason);
  }
}
