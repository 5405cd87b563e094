import { binOfSecond, DAY_SECONDS, type DayClock, secondOfDay } from "./day-clock.ts";
import { type Spill, spillBins } from "./spill.ts";

/** A flight's wish to enter a volume. With a time the bin is the clock's; only without one is the given bin used. */
export type FlowRequest =
  | { readonly flight: string; readonly second: number }
  | { readonly flight: string; readonly bin: number };

export interface FlowQueue {
  readonly flow: string;
  readonly requests: readonly FlowRequest[];
  /** Releases per bin; the last slot is the overflow. */
  readonly profile: ArrayLike<number>;
}

/** When a flight enters: a time where its request had one, else a bin. */
export type Release = { readonly delayMinutes: number } & ({ readonly second: number } | { readonly bin: number });

/** A request with its place in the queue settled. */
interface Queued {
  readonly request: FlowRequest;
  readonly bin: number;
  /** Seconds after midnight of the request's own date; 0 without a time. */
  readonly timeOfDay: number;
  readonly secondInBin: number;
}

/**
 * Releases each flow's requests first come, first served under its profile; what is left at the end of the day spills.
 *
 * A flight that is requested several times, in one flow or in several, keeps its last release.
 */
export function scheduleFlows(queues: readonly FlowQueue[], clock: DayClock, spill: Spill): Map<string, Release> {
  const releases = new Map<string, Release>();
  for (const queue of queues) {
    const waiting = fifo(queue.requests, clock);
    releaseBins(waiting, queue, clock, spill).forEach((bin, i) => {
      releases.set(waiting[i].request.flight, releaseIn(bin, waiting[i], clock));
    });
  }
  return releases;
}

/** Requests in the order they are served: bin, seconds inside the bin, flight id as text. */
export function fifo(requests: readonly FlowRequest[], clock: DayClock): Queued[] {
  const queued = requests.map((request): Queued => {
    if (!("second" in request)) return { request, bin: request.bin, timeOfDay: 0, secondInBin: 0 };
    const timeOfDay = secondOfDay(request.second);
    return {
      request,
      bin: binOfSecond(timeOfDay, clock),
      timeOfDay,
      secondInBin: timeOfDay % (clock.binMinutes * 60),
    };
  });
  return queued.sort(
    (a, b) => a.bin - b.bin || a.secondInBin - b.secondInBin || compareText(a.request.flight, b.request.flight),
  );
}

/** Release bin of each waiting request in order; shorter than the queue when the spill drops some. */
function releaseBins(waiting: readonly Queued[], queue: FlowQueue, clock: DayClock, spill: Spill): number[] {
  const bins: number[] = [];
  let ready = 0;
  let lastActive = -1;
  for (let t = 0; t < clock.binCount; t++) {
    while (ready < waiting.length && waiting[ready].bin <= t) ready++;
    const planned = Math.max(0, queue.profile[t]);
    if (planned > 0) lastActive = t;
    for (let i = Math.min(planned, ready - bins.length); i > 0; i--) bins.push(t);
  }
  const left = waiting.length - bins.length;
  if (left === 0) return bins;
  if (lastActive === -1) lastActive = waiting.reduce((latest, request) => Math.max(latest, request.bin), -1);
  return bins.concat(spillBins(spill, queue.flow, left, queue.profile, lastActive + 1, clock.binMinutes));
}

function releaseIn(bin: number, queued: Queued, clock: DayClock): Release {
  const { request, timeOfDay } = queued;
  const binMinute = bin * clock.binMinutes;
  if (!("second" in request)) {
    return { delayMinutes: Math.max(0, binMinute - queued.bin * clock.binMinutes), bin };
  }
  const midnight = Math.round((request.second - timeOfDay) / DAY_SECONDS) * DAY_SECONDS;
  // Bins start on whole minutes, so rounding the wait up is rounding the request down.
  const delayMinutes = Math.max(0, binMinute - Math.floor(timeOfDay / 60));
  return { delayMinutes, second: delayMinutes > 0 ? midnight + binMinute * 60 : request.second };
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
