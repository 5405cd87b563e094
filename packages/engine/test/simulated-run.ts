import type { RunEnd, RunEvent } from "../src/contract/event.ts";
import type { ProgressLevel } from "../src/contract/search.ts";

/** A made-up run for tests of readers: its events are what a driver with that many workers would have said. */
export interface SimulatedRun {
  readonly tasks: number;
  readonly workers: number;
  /** When it starts, milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly lookahead?: number;
  readonly taskMs: (ask: number) => number;
  readonly key?: (ask: number) => string;
  /** Failed attempts before the task succeeds; `Infinity` fails for good at the second attempt. */
  readonly failures?: (ask: number) => number;
  readonly best?: (told: number) => number;
  readonly levels?: (told: number) => readonly ProgressLevel[];
  readonly timers?: boolean;
  readonly end?: RunEnd;
}

export const SIMULATED_START = Date.UTC(2026, 10, 15, 9, 30);

/** Events in time order: tasks are handed out in order to whichever worker is free first, and told in order. */
export function* simulateRun(run: SimulatedRun): Generator<RunEvent> {
  const startedAt = run.startedAt ?? SIMULATED_START;
  const key = run.key ?? ((ask: number) => `task-${ask}`);
  const identity = (worker: number) => ({ worker, pid: 4000 + worker, pidStart: `start-${worker}` });
  const freeAt = new Float64Array(run.workers).fill(startedAt + 40);
  const lookahead = run.lookahead ?? 64;
  const pending: RunEvent[] = [];
  let told = 0;
  let toldAt = 0;
  let asked = 0;

  const emitUntil = function* (at: number) {
    pending.sort((a, b) => a.at - b.at);
    while (pending.length > 0 && pending[0].at <= at) {
      const event = pending.shift();
      if (event !== undefined) yield event;
    }
  };
  const search = () => ({
    ...(run.best === undefined ? {} : { best: run.best(told) }),
    ...(run.levels === undefined ? {} : { levels: run.levels(told) }),
  });

  yield {
    type: "run-started",
    at: startedAt,
    start: {
      id: "17",
      tool: "run",
      directory: undefined,
      pool: "threads",
      workers: run.workers,
      seed: 42,
      lookahead,
    },
  };
  for (let worker = 0; worker < run.workers; worker++) {
    yield { type: "worker", at: startedAt + 40, identity: identity(worker), state: "ready" };
  }
  for (let ask = 0; ask < run.tasks; ask++) {
    for (; asked < Math.min(run.tasks, ask + lookahead); asked++) {
      yield { type: "queued", at: Math.max(startedAt + 40, ...freeAt.slice(0, 1)), ask: asked, key: key(asked) };
    }
    let worker = 0;
    for (let other = 1; other < run.workers; other++) if (freeAt[other] < freeAt[worker]) worker = other;
    yield* emitUntil(freeAt[worker]);
    const failures = Math.min(2, run.failures?.(ask) ?? 0);
    const elapsedMs = run.taskMs(ask);
    for (let attempt = 0; ; attempt++) {
      const at = freeAt[worker];
      pending.push({ type: "started", at, worker: identity(worker), asks: [ask] });
      freeAt[worker] += elapsedMs;
      const ended = { at: at + elapsedMs, ask, key: key(ask), worker, elapsedMs };
      if (attempt >= failures) {
        pending.push({ type: "completed", ...ended, from: "worker" });
        break;
      }
      const willRetry = attempt === 0;
      pending.push({
        type: "failed",
        ...ended,
        attempt,
        willRetry,
        failure: { type: "RangeError", message: `no rate fits <volume ${ask}> & more` },
        detail: {
          timedOut: false,
          workerLost: false,
          stack: `RangeError: no rate fits <volume ${ask}>\n    at evaluate (file:///plan/rates.ts:12:9)`,
          logTail: [`trying volume ${ask}`, "12 of 40 flows"],
        },
      });
      if (!willRetry) break;
    }
    told++;
    toldAt = Math.max(toldAt, freeAt[worker]);
    pending.push({ type: "told", at: toldAt, asked, told, search: search() });
    if (run.timers === true) {
      pending.push({
        type: "timers",
        at: freeAt[worker],
        worker,
        totals: {
          "plan.evaluate": { ms: elapsedMs * 0.9, selfMs: elapsedMs * 0.3, count: 1 },
          "plan.rates": { ms: elapsedMs * 0.6, selfMs: elapsedMs * 0.6, count: 4 },
        },
      });
    }
  }
  yield* emitUntil(Number.POSITIVE_INFINITY);
  const at = Math.max(...freeAt) + 5;
  for (let worker = 0; worker < run.workers; worker++) {
    yield { type: "worker", at, identity: identity(worker), state: "ended", reason: "closed" };
  }
  const digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  yield {
    type: "finished",
    at: at + 1,
    end: run.end ?? { state: "done", digest, tells: told, reproducible: { from: "seed" } },
  };
}
