import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { TaskProgress } from "../../src/contract/evaluator.ts";
import type { TimerTotals } from "../../src/contract/event.ts";
import type { Pool, PoolFactory, PoolJob, PoolListener, PoolResult, WorkerIdentity } from "../../src/contract/pool.ts";
import type { CrewOptions } from "../../src/pools/pool-options.ts";
import { decode, encode } from "../../src/values/encode.ts";
import type { Probe } from "../evaluators/probe.ts";

/** How a suite makes the pool it examines. */
export type MakeFactory = (options: CrewOptions) => PoolFactory;

/** A result as the owner of a pool would use it. */
export type Settled = Exclude<PoolResult, { ok: true }> | { readonly ok: true; readonly value: unknown };

/** However slow the machine, what has not happened after this will not happen. */
const PATIENCE_MS = 120_000;

let trials = 0;

/** A pool under examination, with everything it ever said to its owner. */
export class Trial {
  readonly directory = mkdtempSync(join(tmpdir(), "coppice-trial-"));
  readonly token = `trial-${process.pid}-${trials++}`;
  readonly pool: Pool;
  readonly results = new Map<number, PoolResult>();
  readonly started: { readonly worker: WorkerIdentity; readonly ids: readonly number[] }[] = [];
  readonly requeued: { readonly id: number; readonly loss: number; readonly reason: string }[] = [];
  readonly aborted: number[] = [];
  readonly progress: { readonly id: number; readonly progress: TaskProgress }[] = [];
  readonly lines: string[] = [];
  /** The task that printed each line, as far as it was said. */
  readonly printers: (number | undefined)[] = [];
  readonly workers: { readonly identity: WorkerIdentity; readonly state: string; readonly reason?: string }[] = [];
  readonly timers: TimerTotals[] = [];
  broken: Error | undefined;
  #inside = false;
  #look: () => void = () => {};

  constructor(
    makeFactory: MakeFactory,
    options: CrewOptions = {},
    job: Partial<PoolJob> & { readonly evaluator?: string } = {},
  ) {
    const { evaluator = "probe", ...rest } = job;
    this.pool = makeFactory({ workers: 1, ...options }).open(
      {
        evaluatorUrl: evaluatorUrl(evaluator),
        context: encode({ directory: this.directory }),
        seed: 42,
        setupTimeoutMs: 20_000,
        maxValueBytes: 1_000_000,
        timers: false,
        runToken: this.token,
        ...rest,
      },
      this.#listener(),
    );
  }

  submit(id: number, probe: Probe, task: { key?: string; attempt?: number; timeoutMs?: number } = {}): void {
    this.#quietly(() =>
      this.pool.submit({ id, key: `key ${id}`, candidate: encode(probe), attempt: 0, timeoutMs: 0, ...task }),
    );
  }

  abort(id: number): void {
    this.#quietly(() => this.pool.abort(id));
  }

  /** The results of these tasks, once they are all there. */
  async settled(...ids: readonly number[]): Promise<Settled[]> {
    await this.until(`tasks ${ids} settle`, () => ids.every((id) => this.results.has(id)));
    return ids.map((id) => {
      const result = this.results.get(id);
      assert.ok(result !== undefined);
      return result.ok ? { ok: true, value: decode(result.encoded) } : result;
    });
  }

  /** The values of these tasks; a failure among them fails the test. */
  async values(...ids: readonly number[]): Promise<unknown[]> {
    const settled = await this.settled(...ids);
    return settled.map((result) => {
      assert.ok(result.ok, inspect(result));
      return result.value;
    });
  }

  /** Waits until something the pool says, or that can be seen from outside, makes the claim true. */
  async until(claim: string, holds: () => boolean): Promise<void> {
    await eventually(
      claim,
      () => {
        if (this.broken !== undefined && !holds()) throw new Error(`${claim}: the pool broke: ${this.broken.message}`);
        return holds();
      },
      (look) => {
        this.#look = look;
      },
    );
  }

  /** Lines of a file that evaluations wrote. */
  trace(file: string): string[] {
    try {
      return readFileSync(join(this.directory, file), "utf8")
        .split("\n")
        .filter((line) => line !== "");
    } catch {
      return [];
    }
  }

  async close(deadlineMs = 10_000): Promise<void> {
    let closing: Promise<void> | undefined;
    this.#quietly(() => {
      closing = this.pool.close(deadlineMs);
    });
    await closing;
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** However a test ends, nothing of it stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close(0);
  }

  /** A pool may not call its owner back while the owner calls it. */
  #quietly(call: () => void): void {
    this.#inside = true;
    try {
      call();
    } finally {
      this.#inside = false;
    }
  }

  #listener(): PoolListener {
    const heard = (note: () => void): void => {
      assert.equal(this.#inside, false, "the pool called its listener from inside submit, abort or close");
      assert.ok(this.broken === undefined, "the pool spoke after it broke");
      note();
      this.#look();
    };
    return {
      started: (worker, ids) => heard(() => this.started.push({ worker, ids })),
      settled: (results) =>
        heard(() => {
          for (const result of results) {
            assert.ok(!this.results.has(result.id), `task ${result.id} settled twice`);
            this.results.set(result.id, result);
          }
        }),
      requeued: (id, loss, reason) => heard(() => this.requeued.push({ id, loss, reason })),
      aborted: (id) => heard(() => this.aborted.push(id)),
      progress: (id, progress) => heard(() => this.progress.push({ id, progress })),
      log: (_worker, line, id) =>
        heard(() => {
          this.lines.push(line);
          this.printers.push(id);
        }),
      worker: (identity, state, reason) =>
        heard(() => this.workers.push({ identity, state, ...(reason !== undefined && { reason }) })),
      timers: (_worker, totals) => heard(() => this.timers.push(totals)),
      broken: (error) =>
        heard(() => {
          this.broken = error;
        }),
    };
  }
}

/** URL of one of the suite's evaluators. */
export function evaluatorUrl(name: string): string {
  return new URL(`../evaluators/${name}.ts`, import.meta.url).href;
}

/** Waits until the claim holds; looks every 20 ms, and whenever the caller says so. */
export async function eventually(
  claim: string,
  holds: () => boolean,
  lookSooner: (look: () => void) => void = () => {},
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => {
    try {
      if (holds()) resolve();
    } catch (error) {
      reject(error);
    }
  };
  const looking = setInterval(look, 20);
  const giveUp = setTimeout(() => reject(new Error(`waited ${PATIENCE_MS} ms in vain: ${claim}`)), PATIENCE_MS);
  lookSooner(look);
  look();
  try {
    await promise;
  } finally {
    clearInterval(looking);
    clearTimeout(giveUp);
    lookSooner(() => {});
  }
}
