import { holdsBackFirst } from "../agent/known-agents.ts";
import type { Hook } from "../settings/hook.ts";
import { configuredEvents } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { stageEvent } from "../staging/stage-event.ts";
import type { Staging } from "../staging/stage-hooks.ts";
import { stateDirectory } from "../state-directory.ts";
import { type ConflictCost, conflictCosts } from "./conflict-cost.ts";
import { type EventRecord, type HookRecord, type RecordsRead, readRecords } from "./timing-records.ts";

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
  readonly blocks: number;
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

/** The report of a project's last milliseconds until `to`, and the records it was made from. */
export async function projectReport(
  places: Places,
  periodMs: number,
  to: number,
): Promise<{ report: TimingReport; records: RecordsRead["records"] }> {
  const read = readRecords(stateDirectory(places.projectDir), to - periodMs);
  const stagings = new Map<string, Staging>();
  for (const event of configuredEvents(places, [])) stagings.set(event, (await stageEvent(event, {}, places)).staging);
  return { report: timingReport(read, stagings, to - periodMs, to), records: read.records };
}

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
  const eventRecords = records.filter((record) => record.kind === "event");
  const events = [...Map.groupBy(eventRecords, ({ event }) => event)].map(([event, list]) =>
    eventFigures(event, list, hooks, stagings.get(event)),
  );
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
    blocks: records.filter(({ outcome }) => outcome === "block").length,
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
  const costs = events.flatMap(({ event, conflicts }) =>
    conflicts
      .slice(0, 3)
      .filter(({ costMs }) => costMs >= 1)
      .map(({ cause, costMs }) => `${event}: ${cause} costs about ${round(costMs)} ms per event`),
  );
  return [...costs, ...hooks.flatMap((figures) => suggestFor(figures, stagings.get(figures.event)))];
}

function suggestFor(figures: HookFigures, staging: Staging | undefined): readonly string[] {
  const { event, n, meanMs, p95Ms, timeoutMs } = figures;
  const said: string[] = [];
  const mean = round(meanMs);
  if (p95Ms > NEAR_TIMEOUT * timeoutMs) {
    const near = `p95 ${round(p95Ms)} of ${round(timeoutMs)} ms`;
    said.push(`comes near its timeout (${near}); give it more time or less to do`);
  }
  const bad = figures.failures + figures.timeouts;
  if (bad / n > OFTEN_FAILING) said.push(`failed or timed out in ${bad} of ${n} runs`);
  const hook = staging?.hooks.find(({ name }) => name === figures.hook);
  if (hook !== undefined && hook.touches === undefined) {
    const never = "declare yourself what it reads and writes, because a trace cannot watch it to its end either";
    const traced = `"coppice hooks trace ${event}" proposes a declaration`;
    said.push(`is not declared and runs alone; ${figures.timeouts === n ? never : traced}`);
  }
  if (hook !== undefined && staging !== undefined && !hook.background && meanMs > SLOW_MS) {
    const silent = `takes ${mean} ms and has said nothing yet; unless it is there to block, "background": true would not wait for it`;
    said.push(mayRunInBackground(figures, hook, staging) ? silent : `is slow (mean ${mean} ms)`);
  }
  return said.map((text) => `${event}: ${figures.hook} ${text}`);
}

/**
 * Nobody would miss anything: it has never held anything back, is not asked before something happens (a guard that was
 * never needed is silent, too), and no other hook waits for it, which `check` would refuse.
 */
function mayRunInBackground({ outputBytes, blocks }: HookFigures, hook: Hook, { hooks, edges }: Staging): boolean {
  const waitedFor = edges.some(({ from }) => hooks[from] === hook);
  const guards = holdsBackFirst(hook.event) || hook.onFailure === "block";
  return outputBytes === 0 && blocks === 0 && !guards && !waitedFor;
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
