import { MAX_DELAY_MINUTES, type Regulation } from "../regulation.ts";
import { Arrivals } from "./arrivals.ts";
import type { ChangedFlights } from "./changed-flights.ts";
import { type FirstVisits, lowerBound } from "./first-visits.ts";

/** What decides who is in a line. */
export type Reach = Pick<Regulation, "fromBin" | "toBin" | "flows">;

const nobody: Reach = { fromBin: 0, toBin: 0, flows: 0 };

/** Collects who wants to enter a volume in a window, with the delays so far. */
export class Wishes {
  readonly #binMinutes: number;
  /** Places in a list of first visits. */
  #ofFlows = new Int32Array(256);
  /** Flights without delay are sorted already; the others are sorted by themselves and merged in. */
  readonly #late = new Arrivals();

  constructor(binMinutes: number) {
    this.#binMinutes = binMinutes;
  }

  /**
   * Fills `wishes` with the flights of a line, sorted by (minute, flight), but not with those that would be in `except`.
   * Nobody is delayed `before` by more than `mostDelay`: who would come earlier than that need not be looked at.
   */
  gather(
    reach: Reach,
    visits: FirstVisits,
    before: Uint8Array,
    mostDelay: number,
    changes: ChangedFlights,
    wishes: Arrivals,
    except: Reach = nobody,
  ): void {
    wishes.count = 0;
    const [fromBin, toBin] = stretch(reach, except);
    if (fromBin >= toBin) return;
    const { flight, minute, flowBit } = visits;
    const { mark, delay: now, epoch } = changes;
    const from = fromBin * this.#binMinutes;
    const to = toBin * this.#binMinutes;
    const latest = changes.listed === 0 ? mostDelay : MAX_DELAY_MINUTES;
    const first = lowerBound(minute, minute.length, from - latest);
    const last = lowerBound(minute, minute.length, to);
    const candidates = this.#visitsOf(reach, except, flowBit, first, last);
    const exceptFrom = except.fromBin * this.#binMinutes;
    const exceptTo = except.toBin * this.#binMinutes;
    const ofFlows = this.#ofFlows;
    const late = this.#late;
    late.count = 0;
    late.reserve(candidates);
    wishes.reserve(candidates);
    const { flight: lateFlight, minute: lateMinute } = late;
    const { flight: wishFlight, minute: wishMinute } = wishes;
    let lateCount = 0;
    let onTimeCount = 0;
    for (let c = 0; c < candidates; c++) {
      const i = ofFlows[c];
      const f = flight[i];
      const delay = mark[f] === epoch ? now[f] : before[f];
      const x = minute[i] + delay;
      if (x < from || x >= to) continue;
      if (x >= exceptFrom && x < exceptTo && (flowBit[i] & except.flows) !== 0) continue;
      if (delay === 0) {
        wishFlight[onTimeCount] = f;
        wishMinute[onTimeCount++] = x;
      } else {
        lateFlight[lateCount] = f;
        lateMinute[lateCount++] = x;
      }
    }
    late.count = lateCount;
    wishes.count = onTimeCount;
    if (lateCount === 0) return;
    late.sort(from, to);
    wishes.mergeIn(late);
  }

  /** Puts those of the visits [first, last) into `#ofFlows` that are of flows which can be wanted; says how many. */
  #visitsOf(reach: Reach, except: Reach, flowBit: Int32Array, first: number, last: number): number {
    const inside = reach.fromBin >= except.fromBin && reach.toBin <= except.toBin;
    const flows = inside ? reach.flows & ~except.flows : reach.flows;
    if (this.#ofFlows.length < last - first) this.#ofFlows = new Int32Array(2 * (last - first));
    const ofFlows = this.#ofFlows;
    let count = 0;
    for (let i = first; i < last; i++) {
      const may = flowBit[i] & flows;
      // Counted by a sign bit instead of a branch, which would be guessed wrong.
      ofFlows[count] = i;
      count += (may | -may) >>> 31;
    }
    return count;
  }
}

/** The bins in which a line can have flights that another does not have. */
function stretch(reach: Reach, except: Reach): readonly [number, number] {
  const { fromBin, toBin } = reach;
  if (except.fromBin >= except.toBin || (reach.flows & ~except.flows) !== 0) return [fromBin, toBin];
  return [
    fromBin < except.fromBin ? fromBin : Math.max(fromBin, except.toBin),
    toBin > except.toBin ? toBin : Math.min(toBin, except.fromBin),
  ];
}
