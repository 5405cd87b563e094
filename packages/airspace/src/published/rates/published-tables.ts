import type { BinWindow } from "../../instance/instance.ts";
import { concatenated, offsets, type RateTables } from "../../rate-search/rate-tables.ts";
import { addOccupancy } from "../scoring/occupancy.ts";
import { flowRequest } from "../scoring/published-score.ts";
import { fifo } from "../scoring/scheduler.ts";
import type { ScoreContext } from "../scoring/score-context.ts";

/** Tables with the published planner's semantics: bin quotas, its counting of repeated flights, its prices by class. */
export function publishedTables(
  context: ScoreContext,
  window: BinWindow,
): { readonly tables: RateTables; readonly flightIds: readonly string[] } {
  const { instance, flows, volumes, weights } = context;
  const { binCount } = instance;
  const queues = flows.map((flow) =>
    fifo(
      flow.requests.map((entrant) => flowRequest(instance, entrant)),
      instance,
    ),
  );
  const flights = numberByDecider(queues.map((queue) => queue.map(({ request }) => request.flight)));
  const visits = scopedVisits(context, flights.order);
  const repeats = new Map<string, number>();
  for (const flight of context.scheduled) {
    const id = instance.flightIds[flight];
    repeats.set(id, (repeats.get(id) ?? 0) + 1);
  }
  const tables: RateTables = {
    release: "quota",
    binMinutes: instance.binMinutes,
    binCount,
    windowFrom: window[0],
    windowTo: Math.min(window[1], binCount),
    flowCount: flows.length,
    requestOffset: offsets(queues.map((queue) => queue.length)),
    requestMinute: Float64Array.from(queues.flat(), ({ timeOfDay }) => Math.floor(timeOfDay / 60)),
    requestFlight: Int32Array.from(flights.decided.flat()),
    readyEnd: readyEnds(queues, binCount),
    demand: concatenated(Int32Array, flows, (flow) => flow.demand),
    flightOffset: flights.offset,
    flightWeight: Int32Array.from(flights.order, (id) => repeats.get(id) ?? 0),
    startDelay: new Int32Array(flights.order.length),
    maxDelayMinutes: Number.POSITIVE_INFINITY,
    ...visits,
    count: concatenated(Int32Array, volumes, ({ volume, baseAll, baseScheduled }) =>
      addOccupancy(instance, volume, context.scheduled).map((now, t) => now + baseAll[t] - baseScheduled[t]),
    ),
    capacity: concatenated(Float64Array, volumes, ({ capacity }) => capacity),
    alpha: concatenated(Float64Array, volumes, ({ alpha }) => alpha),
    beta: concatenated(Float64Array, flows, ({ beta }) => beta),
    gamma: concatenated(Float64Array, flows, ({ gamma }) => gamma),
    freeSmoothness: new Float64Array(flows.length),
    besideWanted: new Int32Array(0),
    besideReleased: new Int32Array(0),
    prices: {
      exceedance: 1,
      delayMinute: weights.lambdaDelay,
      entry: 0,
      regularity: 1,
      smoothness: 1,
      share: weights.thetaShare,
      spill: weights.etaSpill,
      betaOverflow: weights.betaContext,
      gammaOverflow: weights.gammaContext,
    },
    constant: { exceedance: 0, delayMinutes: 0, entries: 0, regularity: 0, smoothness: 0, share: 0 },
  };
  return { tables, flightIds: flights.order };
}

/** Numbers flights by the flow that decides them, the last one that serves them, and marks the deciding requests. */
function numberByDecider(queues: readonly (readonly string[])[]): {
  readonly order: readonly string[];
  readonly offset: Int32Array;
  /** Per flow and request: the flight's number where this request decides it, else -1. */
  readonly decided: readonly (readonly number[])[];
} {
  const decider = new Map<string, readonly [flow: number, request: number]>();
  queues.forEach((queue, f) => {
    queue.forEach((id, i) => {
      decider.set(id, [f, i]);
    });
  });
  const order: string[] = [];
  const sizes: number[] = [];
  const decided = queues.map((queue, f) => {
    const before = order.length;
    const numbers = queue.map((id, i) => {
      const [flow, request] = decider.get(id) ?? [-1, -1];
      return flow === f && request === i ? order.push(id) - 1 : -1;
    });
    sizes.push(order.length - before);
    return numbers;
  });
  return { order, offset: offsets(sizes), decided };
}

/** Visits of the flights to the volumes in scope. */
function scopedVisits(
  { instance, volumes }: ScoreContext,
  order: readonly string[],
): Pick<RateTables, "visitOffset" | "visitRow" | "visitMinute"> {
  const rows = new Map(volumes.map(({ volume }, row) => [volume, row * instance.binCount]));
  const flightOf = new Map(instance.flightIds.map((id, flight) => [id, flight]));
  const binSeconds = instance.binMinutes * 60;
  const visitRow: number[] = [];
  const visitMinute: number[] = [];
  const sizes = order.map((id) => {
    const before = visitRow.length;
    const flight = flightOf.get(id) ?? -1;
    for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
      const row = rows.get(instance.visitVolume[visit]);
      if (row === undefined) continue;
      const phase = Math.floor(instance.entrySecond[visit]) % binSeconds;
      visitRow.push(row);
      visitMinute.push(instance.indexBin[visit] * instance.binMinutes + Math.floor(phase / 60));
    }
    return visitRow.length - before;
  });
  return {
    visitOffset: offsets(sizes),
    visitRow: Int32Array.from(visitRow),
    visitMinute: Int32Array.from(visitMinute),
  };
}

/** For each flow and bin, where the requests of that bin end in the order all requests are listed. */
function readyEnds(queues: readonly (readonly { readonly bin: number }[])[], binCount: number): Int32Array {
  const ends = new Int32Array(queues.length * binCount);
  let before = 0;
  queues.forEach((queue, f) => {
    let ready = 0;
    for (let t = 0; t < binCount; t++) {
      while (ready < queue.length && queue[ready].bin <= t) ready++;
      ends[f * binCount + t] = before + ready;
    }
    before += queue.length;
  });
  return ends;
}
