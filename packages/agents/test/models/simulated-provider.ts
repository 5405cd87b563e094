import { Pace } from "../../src/models/pace/request-pace.ts";
import type { Quota } from "../../src/practice-server/practice-server.ts";

export interface Simulation {
  readonly quota: Quota;
  /** Callers that ask again and again. */
  readonly callers: number;
  readonly latencyMs: number;
  readonly seconds: number;
  /** Wait of a refused caller before it asks again. */
  readonly backoffMs: number;
  /** A quota that takes the place of the first one half-way. */
  readonly later?: Quota;
}

export interface SimulatedSecond {
  readonly admitted: number;
  readonly refused: number;
}

/** What a provider lets through, written independently of what keeps the pace. */
class RequestQuota {
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor({ perSecond, burst = Math.max(1, perSecond / 10) }: Quota, nowMs: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  admits(nowMs: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

/** How long a provider takes to say no. */
const REFUSAL_MS = 5;

/** A provider with a quota and callers who keep the pace, on a clock of their own: a minute takes a moment. */
export async function simulate(simulation: Simulation, clock: VirtualClock): Promise<SimulatedSecond[]> {
  const { callers, latencyMs, seconds, backoffMs } = simulation;
  let quota = new RequestQuota(simulation.quota, 0);
  const pace = new Pace({}, () => clock.nowMs);
  const record: { admitted: number; refused: number }[] = Array.from({ length: seconds }, () => ({
    admitted: 0,
    refused: 0,
  }));
  const signal = new AbortController().signal;
  const call = async (): Promise<void> => {
    while (clock.nowMs < seconds * 1000) {
      const pass = await pace.enter(signal);
      const second = record[Math.floor(clock.nowMs / 1000)];
      if (second === undefined) return;
      if (quota.admits(clock.nowMs)) {
        second.admitted++;
        await clock.sleep(latencyMs);
        pass.end();
      } else {
        second.refused++;
        await clock.sleep(REFUSAL_MS);
        pass.refused();
        pass.end();
        await clock.sleep(backoffMs);
      }
    }
  };
  for (let i = 0; i < callers; i++) void call();
  for (let ms = 0; ms < seconds * 1000; ms++) {
    if (simulation.later !== undefined && ms === seconds * 500) quota = new RequestQuota(simulation.later, ms);
    await clock.tick();
  }
  return record;
}

/** Milliseconds that pass when they are told to; `tickTimers` moves the timers of the code under test along. */
export class VirtualClock {
  nowMs = 0;
  readonly #tickTimers: (ms: number) => void;
  readonly #due = new Map<number, (() => void)[]>();

  constructor(tickTimers: (ms: number) => void) {
    this.#tickTimers = tickTimers;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const at = this.nowMs + Math.max(1, Math.round(ms));
      this.#due.set(at, [...(this.#due.get(at) ?? []), resolve]);
    });
  }

  async tick(): Promise<void> {
    this.nowMs++;
    this.#tickTimers(1);
    const due = this.#due.get(this.nowMs) ?? [];
    this.#due.delete(this.nowMs);
    for (const go of due) go();
    // Lets what was woken up act before the next millisecond.
    for (let i = 0; i < 6; i++) await Promise.resolve();
  }
}
