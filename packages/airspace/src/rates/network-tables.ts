import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { MAX_DELAY_MINUTES, type Plan } from "../network/regulation.ts";
import { scratchScorer } from "../network/scratch-scorer.ts";
import type { Weights } from "../network/weights.ts";
import { concatenated, offsets } from "./flat-arrays.ts";
import type { RateTables } from "./tables.ts";

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

interface Request {
  readonly flight: number;
  readonly minute: number;
}

/**
 * Tables with the network model's semantics: slots, every flight once at its first entry as delayed so far, all its
 * visits moving by the clock, all volumes' exceedance at one price.
 */
export function networkTables(
  instance: Instance,
  control: NetworkControl,
  weights: Weights,
): { readonly tables: RateTables; readonly flights: readonly number[] } {
  const { binCount, binMinutes } = instance;
  const before = scratchScorer(instance)(control.plan, weights);
  const delay = before.delayMinutes;
  const queues = control.flowSets.map((flows) => requestsOf(instance, control, flows, delay));
  const flights = queues.flatMap((queue) => queue.map(({ flight }) => flight));
  const volumes = [
    ...new Set(flights.flatMap((flight) => visitsOf(instance, flight).map((visit) => instance.visitVolume[visit]))),
  ];
  const rows = new Map(volumes.map((volume, row) => [volume, row * binCount]));
  const visits = flights.map((flight) => visitsOf(instance, flight));
  const demand = concatenated(
    Int32Array,
    queues.map((queue) => demandOf(queue, instance)),
  );
  const count = countEntries(instance, rows, delay);
  const capacity = concatenated(
    Float64Array,
    volumes.map((volume) => instance.capacity.subarray(volume * binCount, (volume + 1) * binCount).map(wholeCapacity)),
  );
  const tables: RateTables = {
    release: "slots",
    binMinutes,
    binCount,
    windowFrom: control.fromBin,
    windowTo: control.toBin,
    flowCount: queues.length,
    requestOffset: offsets(queues.map((queue) => queue.length)),
    requestMinute: Float64Array.from(queues.flat(), ({ minute }) => minute),
    requestFlight: Int32Array.from(flights, (_, local) => local),
    readyEnd: new Int32Array(0),
    demand,
    flightOffset: offsets(queues.map((queue) => queue.length)),
    flightWeight: new Int32Array(flights.length).fill(1),
    startDelay: Int32Array.from(flights, (flight) => delay[flight]),
    maxDelayMinutes: MAX_DELAY_MINUTES,
    visitOffset: offsets(visits.map((list) => list.length)),
    visitRow: Int32Array.from(visits.flat(), (visit) => rows.get(instance.visitVolume[visit]) ?? -1),
    visitMinute: Int32Array.from(
      visits.flatMap((list, local) => list.map((visit) => Math.floor(entryMinute(instance, flights[local], visit)))),
    ),
    count,
    capacity,
    alpha: new Float64Array(count.length).fill(1),
    beta: new Float64Array(queues.length * binCount).fill(1),
    gamma: concatenated(
      Float64Array,
      queues.map(() => new Float64Array(binCount).fill(1, 0, binCount - 1)),
    ),
    freeSmoothness: Float64Array.from(queues, (_, flow) => variation(demand, flow * (binCount + 1), binCount)),
    prices: {
      exceedance: weights.exceedance,
      delayMinute: weights.delayMinute,
      entry: weights.regulation,
      regularity: weights.regularity,
      smoothness: weights.smoothness,
      share: 0,
      spill: 0,
      betaOverflow: 0,
      gammaOverflow: 0,
    },
    constant: {
      exceedance: before.score.exceedance - excessOf(count, capacity, binCount, 60 / binMinutes),
      delayMinutes: before.score.delayMinutes - flights.reduce((sum, flight) => sum + delay[flight], 0),
      entries: control.plan.length,
      regularity: before.score.regularity,
      smoothness: before.score.smoothness,
    },
  };
  return { tables, flights };
}

/** Flights of the flows whose first entry into the volume, as delayed so far, lies in the window, in order of time. */
function requestsOf(instance: Instance, control: NetworkControl, flows: number, delay: Int32Array): Request[] {
  const from = control.fromBin * instance.binMinutes;
  const to = control.toBin * instance.binMinutes;
  const requests: Request[] = [];
  for (let flight = 0; flight < instance.flightIds.length; flight++) {
    const first = visitsOf(instance, flight).find((visit) => instance.visitVolume[visit] === control.volume);
    if (first === undefined || (flows & (1 << instance.visitFlow[first])) === 0) continue;
    const minute = entryMinute(instance, flight, first) + delay[flight];
    if (minute >= from && minute < to) requests.push({ flight, minute });
  }
  return requests.sort((a, b) => a.minute - b.minute || a.flight - b.flight);
}

function visitsOf(instance: Instance, flight: number): number[] {
  const first = instance.visitOffset[flight];
  return Array.from({ length: instance.visitOffset[flight + 1] - first }, (_, i) => first + i);
}

function entryMinute(instance: Instance, flight: number, visit: number): number {
  return (instance.takeoffSecond[flight] + instance.entrySecond[visit]) / 60;
}

function demandOf(queue: readonly Request[], instance: Instance): Int32Array {
  const demand = new Int32Array(instance.binCount + 1);
  for (const { minute } of queue) demand[Math.floor(minute / instance.binMinutes)]++;
  return demand;
}

/** Entries of all flights, as delayed so far, into the volumes of the tables. */
function countEntries(instance: Instance, rows: ReadonlyMap<number, number>, delay: Int32Array): Int32Array {
  const count = new Int32Array(rows.size * instance.binCount);
  for (let flight = 0; flight < instance.flightIds.length; flight++) {
    for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
      const row = rows.get(instance.visitVolume[visit]);
      if (row === undefined) continue;
      const bin = Math.floor((entryMinute(instance, flight, visit) + delay[flight]) / instance.binMinutes);
      if (bin >= 0 && bin < instance.binCount) count[row + bin]++;
    }
  }
  return count;
}

/** Flights over capacity in all rolling hours of the tables' volumes. */
function excessOf(count: Int32Array, capacity: Float64Array, binCount: number, binsPerHour: number): number {
  let excess = 0;
  for (let cell = 0; cell < count.length; cell++) {
    const endOfDay = cell - (cell % binCount) + binCount;
    let hour = 0;
    for (let c = cell; c < Math.min(cell + binsPerHour, endOfDay); c++) hour += count[c];
    excess += Math.max(0, hour - capacity[cell]);
  }
  return excess;
}

/** Σ |demand[t + 1] - demand[t]| over the bins of one flow. */
function variation(demand: Int32Array, start: number, binCount: number): number {
  let sum = 0;
  for (let t = start; t < start + binCount - 1; t++) sum += Math.abs(demand[t + 1] - demand[t]);
  return sum;
}
