import type { PoolResult } from "@coppice/engine/pools";
import { LOSS_BUDGET, lossFailure } from "@coppice/engine/worker";
import type { CarriedResult } from "../protocol.ts";
import type { ClusterRun } from "./cluster-run.ts";
import type { TravellingTask } from "./travelling-task.ts";

/** What becomes of tasks that were sent: settled, lost with their worker, or handed in unfinished. */
export class Returns {
  readonly #run: ClusterRun;

  constructor(run: ClusterRun) {
    this.#run = run;
  }

  settle(worker: number, results: readonly CarriedResult[]): void {
    const { tasks, chunkSize, listener, ending } = this.#run;
    const settled: PoolResult[] = [];
    for (const carried of results) {
      const entry = tasks.get(carried.id);
      if (entry === undefined) continue;
      if (carried.ok && typeof carried.encoded !== "string") {
        entry.arriving = true;
        void ending.attempt(this.#fetchValue(worker, entry, carried.elapsedMs, carried.encoded.blob));
        continue;
      }
      chunkSize.measured(carried.elapsedMs);
      this.#forget(entry);
      // A failure after an abort is not a result.
      if (entry.aborted && !carried.ok) listener.aborted(entry.id);
      // Cast: the value is a text, see above.
      else settled.push({ ...carried, worker } as PoolResult);
    }
    if (settled.length > 0) listener.settled(settled);
    this.#run.sendSoon();
  }

  async #fetchValue(worker: number, entry: TravellingTask, elapsedMs: number, blob: string): Promise<void> {
    const { line, tasks } = this.#run;
    const bytes = await line.fetch(blob);
    entry.arriving = false;
    if (bytes === undefined) {
      // Lost on its way: it is worked out again.
      if (entry.job === undefined || !tasks.chunks.has(entry.job)) this.#backInLine(entry);
      return;
    }
    const encoded = JSON.parse(bytes.toString()) as string;
    this.settle(worker, [{ id: entry.id, worker, elapsedMs, ok: true, encoded }]);
    await line.drop(blob);
  }

  /** A chunk has been handed in or taken back: what it did not settle waits again. */
  handedIn(id: string): void {
    const { tasks } = this.#run;
    const unsettled = tasks.unsettled(id);
    if (!tasks.chunks.delete(id)) return;
    for (const entry of unsettled) if (entry.job === id && !entry.arriving) this.#backInLine(entry);
    this.#run.sendSoon();
  }

  #backInLine(entry: TravellingTask): void {
    const { tasks, listener, ending } = this.#run;
    entry.job = undefined;
    if (entry.aborted) this.gone(entry);
    else if (ending.begun) tasks.delete(entry.id);
    else {
      if (entry.started) listener.requeued(entry.id, 0, "its worker has left");
      entry.started = false;
      tasks.waiting.add(entry);
      this.#run.sendSoon();
    }
  }

  /** The worker of a chunk is gone. The task that it was at is to blame, as far as can be known from here. */
  lost(id: string, reason: string): void {
    const { tasks, listener, ending } = this.#run;
    if (ending.broken) return;
    const started = tasks.unsettled(id).filter((entry) => entry.started);
    for (const entry of started) {
      const culprit = entry === started[0];
      entry.started = false;
      if (culprit && ++entry.losses >= LOSS_BUDGET) this.#giveUp(entry);
      else listener.requeued(entry.id, culprit ? entry.losses : 0, reason);
    }
  }

  #giveUp(entry: TravellingTask): void {
    const { id } = entry;
    const { line, listener, ending } = this.#run;
    this.#forget(entry);
    const detail = { timedOut: false, workerLost: true };
    listener.settled([{ id, worker: 0, elapsedMs: 0, ok: false, failure: lossFailure, detail }]);
    void ending.attempt(line.order(["abort", [id]]));
  }

  /** An aborted task runs nowhere any more. */
  gone(entry: TravellingTask): void {
    const { listener, ending } = this.#run;
    if (this.#forget(entry) && !ending.broken) listener.aborted(entry.id);
  }

  #forget({ id, blob }: TravellingTask): boolean {
    const { line, tasks, ending } = this.#run;
    if (!tasks.delete(id)) return false;
    if (blob !== undefined) void ending.attempt(line.drop(blob));
    return true;
  }
}
