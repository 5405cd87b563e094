import type { Instance } from "../instance/instance.ts";
import { compareWithDemand } from "../network/network-score.ts";
import { MAX_DELAY_MINUTES, type Plan } from "../network/regulation.ts";
import { concatenated, offsets, type RateTables } from "../rate-search/rate-tables.ts";
import type { NetworkDay, NetworkState, Requests } from "./network-day.ts";

/** A regulation after a plan: what it may hold back, one rate per set of flows. */
export interface NetworkControl {
  readonly volume: number;
  readonly fromBin: number;
  readonly toBin: number;
  /** Disjoint sets of flows as bits, each with a rate of its own. */
  readonly flowSets: readonly number[];
  /** Regulations already decided; their delays are there before this one. */
  readonly plan: Plan;
}

/**
 * Tables with the network model's semantics: slots, every flight once at its first entry as delayed so far, all its
 * visits moving by the clock, all volumes' exceedance at one price.
 */
export function networkTables(
  day: NetworkDay,
  control: NetworkControl,
): { readonly tables: RateTables; readonly flights: Int32Array } {
  const { instance, weights } = day;
  const { binCount, binMinutes } = instance;
  const before = day.after(control.plan);
  const queues = control.flowSets.map((flows) => day.requests({ ...control, flows }, before.delayMinutes));
  const flights = concatenated(Int32Array, queues, ({ flight }) => flight);
  const requestOffset = offsets(queues.map(({ flight }) => flight.length));
  const requestFlight = new Int32Array(flights.length);
  const startDelay = new Int32Array(flights.length);
  let delayElsewhere = before.delayTotal;
  for (let local = 0; local < flights.length; local++) {
    requestFlight[local] = local;
    startDelay[local] = before.delayMinutes[flights[local]];
    delayElsewhere -= startDelay[local];
  }
  const visits = visitsOf(day, flights);
  const demand = concatenated(Int32Array, queues, (queue) => demandPerBin(queue, instance));
  const beside = control.plan.flatMap((line, k) => (line.volume === control.volume ? [k] : []));
  const count = rowsOf(before.count, visits.volumes, binCount);
  const capacity = rowsOf(day.capacity, visits.volumes, binCount);
  const tables: RateTables = {
    release: "slots",
    binMinutes,
    binCount,
    windowFrom: control.fromBin,
    windowTo: control.toBin,
    flowCount: queues.length,
    requestOffset,
    requestMinute: concatenated(Float64Array, queues, ({ minute }) => minute),
    requestFlight,
    readyEnd: new Int32Array(0),
    demand,
    flightOffset: requestOffset,
    flightWeight: new Int32Array(flights.length).fill(1),
    startDelay,
    maxDelayMinutes: MAX_DELAY_MINUTES,
    visitOffset: visits.visitOffset,
    visitRow: visits.visitRow,
    visitMinute: visits.visitMinute,
    count,
    capacity,
    alpha: day.ones(count.length),
    beta: day.ones(queues.length * binCount),
    gamma: concatenated(Float64Array, queues, () => new Float64Array(binCount).fill(1, 0, binCount - 1)),
    freeSmoothness: Float64Array.from(queues, (_, flow) => variation(demand, flow * (binCount + 1), binCount)),
    besideWanted: linesOf(before.wanted, beside, binCount),
    besideReleased: linesOf(before.released, beside, binCount),
    prices: {
      exceedance: weights.exceedance,
      delayMinute: weights.delayMinute,
      entry: weights.regulation,
      regularity: weights.regularity,
      smoothness: weights.smoothness,
      share: weights.share,
      spill: 0,
      betaOverflow: 0,
      gammaOverflow: 0,
    },
    constant: {
      exceedance: before.exceedance - day.excessOf(count, capacity),
      delayMinutes: delayElsewhere,
      entries: control.plan.length,
      regularity: before.regularity,
      smoothness: before.smoothness,
      share: shareElsewhere(day, control, before),
    },
  };
  return { tables, flights };
}

/** Shares moved between the plan's lines at other volumes, which the control leaves as they are. */
function shareElsewhere(
  { instance, weights }: NetworkDay,
  { plan, volume }: NetworkControl,
  { wanted, released }: NetworkState,
): number {
  const elsewhere = plan.flatMap((line, k) => (line.volume === volume ? [] : [k]));
  const lines = elsewhere.map((k) => plan[k]);
  const { binCount } = instance;
  return compareWithDemand(
    lines,
    linesOf(wanted, elsewhere, binCount),
    linesOf(released, elsewhere, binCount),
    binCount,
    weights,
  ).share;
}

/** All visits of the flights; volumes are numbered in the order they are first met. */
function visitsOf(
  { instance, entryMinute }: NetworkDay,
  flights: Int32Array,
): Pick<RateTables, "visitOffset" | "visitRow" | "visitMinute"> & { readonly volumes: readonly number[] } {
  const { visitOffset: from, visitVolume, binCount } = instance;
  const visitOffset = new Int32Array(flights.length + 1);
  for (let local = 0; local < flights.length; local++) {
    visitOffset[local + 1] = visitOffset[local] + from[flights[local] + 1] - from[flights[local]];
  }
  const visitRow = new Int32Array(visitOffset[flights.length]);
  const visitMinute = new Int32Array(visitRow.length);
  const rowOf = new Int32Array(instance.volumeIds.length).fill(-1);
  const volumes: number[] = [];
  let next = 0;
  for (let local = 0; local < flights.length; local++) {
    for (let visit = from[flights[local]]; visit < from[flights[local] + 1]; visit++, next++) {
      const volume = visitVolume[visit];
      if (rowOf[volume] < 0) {
        rowOf[volume] = volumes.length * binCount;
        volumes.push(volume);
      }
      visitRow[next] = rowOf[volume];
      visitMinute[next] = Math.floor(entryMinute[visit]);
    }
  }
  return { visitOffset, visitRow, visitMinute, volumes };
}

function demandPerBin({ minute }: Requests, instance: Instance): Int32Array {
  const demand = new Int32Array(instance.binCount + 1);
  for (let i = 0; i < minute.length; i++) demand[Math.floor(minute[i] / instance.binMinutes)]++;
  return demand;
}

/** The bins of some lines out of an array over all lines of a plan. */
function linesOf(all: Int32Array, lines: readonly number[], binCount: number): Int32Array {
  return concatenated(Int32Array, lines, (line) => all.subarray(line * binCount, (line + 1) * binCount));
}

/** The rows of some volumes out of an array over all volumes and bins. */
function rowsOf<A extends Int32Array | Float64Array>(all: A, volumes: readonly number[], binCount: number): A {
  const rows = all.slice(0, volumes.length * binCount) as A;
  for (let row = 0; row < volumes.length; row++) {
    const [to, from] = [row * binCount, volumes[row] * binCount];
    for (let t = 0; t < binCount; t++) rows[to + t] = all[from + t];
  }
  return rows;
}

/** Σ |demand[t + 1] - demand[t]| over the bins of one flow. */
function variation(demand: Int32Array, start: number, binCount: number): number {
  let sum = 0;
  for (let t = start; t < start + binCount - 1; t++) sum += Math.abs(demand[t + 1] - demand[t]);
  return sum;
}
