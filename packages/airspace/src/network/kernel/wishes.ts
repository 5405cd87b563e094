import { MAX_DELAY_MINUTES, type Regulation } from "../regulation.ts";
import { Arrivals } from "./arrivals.ts";
import type { ChangedFlights } from "./changed-flights.ts";
import { type FirstVisits, lowerBound } from "./first-visits.ts";

/** Collects who wants to enter a volume in a window, with the delays so far. */
export class Wishes {
  readonly #binMinutes: number;
  /** Flights without delay are sorted already; the others are sorted by themselves and merged in. */
  readonly #onTime = new Arrivals();
  readonly #late = new Arrivals();

  constructor(binMinutes: number) {
    this.#binMinutes = binMinutes;
  }

  /** Fills `wishes` with the flights of a line, sorted by (minute, flight). `undelayed` says that `before` is 0 for all. */
  gather(
    regulation: Pick<Regulation, "fromBin" | "toBin" | "flows">,
    visits: FirstVisits,
    before: Int16Array,
    undelayed: boolean,
    changes: ChangedFlights,
    wishes: Arrivals,
  ): void {
    const { flight, minute, flowBit } = visits;
    const { mark, delay: now, epoch } = changes;
    const from = regulation.fromBin * this.#binMinutes;
    const to = regulation.toBin * this.#binMinutes;
    const mostDelay = undelayed && changes.count === 0 ? 0 : MAX_DELAY_MINUTES;
    const first = lowerBound(minute, minute.length, from - mostDelay);
    const late = this.#late;
    late.count = 0;
    const last = lowerBound(minute, minute.length, to);
    late.reserve(last - first);
    const onTime = this.#onTime;
    onTime.count = 0;
    onTime.reserve(last - first);
    let lateCount = 0;
    let onTimeCount = 0;
    for (let i = first; i < last; i++) {
      if ((flowBit[i] & regulation.flows) === 0) continue;
      const f = flight[i];
      const delay = mark[f] === epoch ? now[f] : before[f];
      const x = minute[i] + delay;
      if (x < from || x >= to) continue;
      if (delay === 0) {
        onTime.flight[onTimeCount] = f;
        onTime.minute[onTimeCount++] = x;
      } else {
        late.flight[lateCount] = f;
        late.minute[lateCount++] = x;
      }
    }
    late.count = lateCount;
    late.sort(from, to);
    wishes.count = 0;
    wishes.reserve(lateCount + onTimeCount);
    let at = 0;
    let a = 0;
    let b = 0;
    while (a < lateCount || b < onTimeCount) {
      const takeLate =
        b >= onTimeCount ||
        (a < lateCount &&
          (late.minute[a] < onTime.minute[b] ||
            (late.minute[a] === onTime.minute[b] && late.flight[a] < onTime.flight[b])));
      wishes.flight[at] = takeLate ? late.flight[a] : onTime.flight[b];
      wishes.minute[at++] = takeLate ? late.minute[a++] : onTime.minute[b++];
    }
    wishes.count = at;
  }
}
