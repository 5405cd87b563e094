import type { Staging } from "../staging/stage-hooks.ts";
import { type ConflictCost, conflictCosts } from "./conflict-cost.ts";
import type { EventRecord, HookRecord, RecordsRead } from "./timing-records.ts";

/** What one hook took over the period, in milliseconds. */
interface HookFigures {
  readonly event: string;
  readonly hook: string;
  readonly n: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  readonly failures: number;
  readonly timeouts: number;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

/** What one event took over the period; means in milliseconds. */
interface EventFigures {
  readonly event: string;
  readonly n: number;
  readonly elapsedMs: number;
  readonly criticalPathMs: number;
  readonly serialSumMs: number;
  readonly savedMs: number;
  readonly conflicts: readonly ConflictCost[];
}

/** The figures of a period and what to do about them. */
export interface TimingReport {
  readonly from: number;
  readonly to: number;
  readonly corruptLines: number;
  readonly events: readonly EventFigures[];
  /** Slowest mean first. */
  readonly hooks: readonly HookFigures[];
  readonly suggestions: readonly string[];
}

const SLOW_MS = 200;
const NEAR_TIMEOUT = 0.8;
const OFTEN_FAILING = 0.1;

/** Puts the records of a period together (M-03). `stagings` are today's, by event: what would change is asked of them. */
export function timingReport(
  { records, corruptLines }: RecordsRead,
  stagings: ReadonlyMap<string, Staging>,
  from: number,
  to: number,
): TimingReport {
  const hookRecords = records.filter((record) => record.kind === "hook");
  const hooks = [...Map.groupBy(hookRecords, ({ event, hook }) => `${event}\0${hook}`).values()]
    .map(hookFigures)
    .sort((a, b) => b.meanMs - a.meanMs || (a.hook < b.hook ? -1 : 1));
  const events = [
    ...Map.groupBy(
      records.filter((record) => record.kind === "event"),
      ({ event }) => event,
    ),
  ].map(([event, list]) => eventFigures(event, list, hooks, stagings.get(event)));
  return { from, to, corruptLines, events, hooks, suggestions: suggest(hooks, events, stagings) };
}

function hookFigures(records: readonly HookRecord[]): HookFigures {
  const sorted = records.map((record) => record.duration_ms).sort((a, b) => a - b);
  const [first] = records;
  return {
    event: first.event,
    hook: first.hook,
    n: records.length,
    meanMs: mean(sorted),
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    maxMs: sorted[sorted.length - 1],
    failures: records.filter(({ outcome }) => !["ok", "block", "timeout", "ended"].includes(outcome)).length,
    timeouts: records.filter(({ outcome }) => outcome === "timeout").length,
    timeoutMs: records[records.length - 1].timeout_ms,
    outputBytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function eventFigures(
  event: string,
  records: readonly EventRecord[],
  hooks: readonly HookFigures[],
  staging: Staging | undefined,
): EventFigures {
  const meanOf = (field: "elapsed_ms" | "critical_path_ms" | "serial_sum_ms" | "saved_ms"): number =>
    mean(records.map((record) => record[field]));
  const means = new Map(hooks.filter((hook) => hook.event === event).map(({ hook, meanMs }) => [hook, meanMs]));
  return {
    event,
    n: records.length,
    elapsedMs: meanOf("elapsed_ms"),
    criticalPathMs: meanOf("critical_path_ms"),
    serialSumMs: meanOf("serial_sum_ms"),
    savedMs: meanOf("saved_ms"),
    conflicts: staging === undefined ? [] : conflictCosts(staging, means),
  };
}

function suggest(
  hooks: readonly HookFigures[],
  events: readonly EventFigures[],
  stagings: ReadonlyMap<string, Staging>,
): readonly string[] {
  const said: string[] = [];
  for (const { event, conflicts } of events) {
    for (const { cause, costMs } of conflicts.slice(0, 3)) {
      if (costMs >= 1) said.push(`${event}: ${cause} costs about ${round(costMs)} ms per event`);
    }
  }
  for (const { event, hook, n, meanMs, p95Ms, timeoutMs, failures, timeouts, outputBytes } of hooks) {
    const name = `${event}: ${hook}`;
    if (p95Ms > NEAR_TIMEOUT * timeoutMs) {
      said.push(
        `${name} comes near its timeout (p95 ${round(p95Ms)} of ${round(timeoutMs)} ms); give it more time or less to do`,
      );
    }
    if ((failures + timeouts) / n > OFTEN_FAILING)
      said.push(`${name} failed or timed out in ${failures + timeouts} of ${n} runs`);
    const staged = stagings.get(event)?.hooks.find((candidate) => candidate.name === hook);
    if (staged === undefined) continue;
    if (staged.touches === undefined)
      said.push(`${name} is not declared and runs alone; "coppice hooks trace ${event}" proposes a declaration`);
    if (meanMs > SLOW_MS && outputBytes === 0 && !staged.background) {
      said.push(`${name} takes ${round(meanMs)} ms and never says anything; "background": true would not wait for it`);
    } else if (meanMs > SLOW_MS && !staged.background) said.push(`${name} is slow (mean ${round(meanMs)} ms)`);
  }
  return said;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The smallest value that at least the given share of all values does not exceed. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

function round(ms: number): string {
  return ms >= 10 ? Math.round(ms).toString() : ms.toFixed(1);
}
