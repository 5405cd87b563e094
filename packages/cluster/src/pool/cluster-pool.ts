import type { Pool, PoolFactory, PoolJob, PoolListener, PoolTask } from "@coppice/engine/pools";
import { ChunkSize, type CrewOptions, type CrewSettings, crewSettings, soon } from "@coppice/engine/worker";
import { type ClusterPlace, clusterPlace } from "../place/redis-address.ts";
import type { ClusterRun } from "./cluster-run.ts";
import { Dispatch } from "./dispatch.ts";
import { Ending } from "./ending.ts";
import { Reception } from "./reception.ts";
import { Watch } from "./redis-watch.ts";
import { Reports } from "./reports.ts";
import { Returns } from "./returns.ts";
import { RunLine } from "./run-line.ts";
import { Seats } from "./seats.ts";
import { TravellingTasks } from "./travelling-task.ts";

/** About as much work per job as makes the queue's own cost small; a worker fetches its next chunk when it hands in the last. */
const PACE = { targetMs: 50, most: 512, aheadBelowMs: Number.POSITIVE_INFINITY, journeyMs: 1 };
/** Enough that a worker can be at one chunk of the shortest tasks with the next one waiting for it. */
const IN_FLIGHT_PER_WORKER = 2 * PACE.most;
/** Where any number of workers may come, there is work for so many. */
const WORKERS_EXPECTED = 64;

/** Workers on any number of machines, met in a Redis; see docs/cluster.md. */
export function cluster(options: CrewOptions = {}, place = clusterPlace(), workersThere = 0): PoolFactory {
  const endless = options.workers === undefined || options.workers === "auto";
  const workers = endless ? Math.max(1, workersThere) : (options.workers as number);
  const expected = endless ? Math.max(workers, WORKERS_EXPECTED) : workers;
  const maxInFlight = Math.min(1_000_000, expected * IN_FLIGHT_PER_WORKER);
  const settings = crewSettings({ maxInFlight, ...options, workers, oversubscribe: true });
  return {
    kind: "cluster",
    workers: settings.workers,
    open: (job, listener) => new ClusterPool(place, settings, endless, job, listener),
  };
}

/**
 * The coordinator's part. Each worker is a pool of the engine on its own machine, so that limits, aborts and deaths are
 * judged there, by the same code as everywhere.
 */
class ClusterPool implements Pool {
  readonly kind = "cluster";
  readonly workers: number;
  readonly maxInFlight: number;
  readonly #run: ClusterRun;
  readonly #dispatch: Dispatch;

  constructor(place: ClusterPlace, settings: CrewSettings, endless: boolean, job: PoolJob, listener: PoolListener) {
    this.workers = settings.workers;
    this.maxInFlight = settings.maxInFlight;
    const line = new RunLine(place, {
      says: (saying) => reports.hear(saying),
      completed: (id, saying) => {
        reports.hear(saying);
        returns.handedIn(id);
      },
      stalled: (id) => returns.lost(id, "its worker has not been heard of"),
      failed: (id, reason) => {
        returns.lost(id, reason);
        returns.handedIn(id);
      },
    });
    const seats = new Seats(settings.workers, endless);
    const tasks = new TravellingTasks(settings.maxInFlight);
    const ending = new Ending(line, seats, tasks, listener);
    const chunkSize = new ChunkSize(settings.chunk, settings.ahead, PACE);
    const sendSoon = soon(() => this.#dispatch.send());
    this.#run = { place, settings, job, listener, line, seats, tasks, chunkSize, ending, sendSoon };
    const returns = new Returns(this.#run);
    const reception = new Reception(this.#run);
    const reports = new Reports(this.#run, returns, reception);
    this.#dispatch = new Dispatch(this.#run, returns);
    const watch = new Watch(this.#run, returns, reception);
    void ending.finished.then(() => watch.end());
    void ending.attempt(reception.open());
  }

  submit(task: PoolTask): void {
    this.#run.tasks.submit(task);
    this.#run.sendSoon();
  }

  abort(id: number): void {
    this.#dispatch.abort(id);
  }

  close(deadlineMs: number): Promise<void> {
    return this.#run.ending.close(deadlineMs);
  }
}
