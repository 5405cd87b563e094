import type { Instance } from "../../instance/instance.ts";
import { MAX_DELAY_MINUTES, type Plan, type Regulation, sameRegulation } from "../regulation.ts";
import { Arrivals } from "./arrivals.ts";
import { ChangedFlights } from "./changed-flights.ts";
import { type FirstVisits, firstVisitsOf, lowerBound } from "./first-visits.ts";
import { LineMarks } from "./line-marks.ts";
import { serveArrivals, serveAtOtherRate, serveMerged } from "./serve-queue.ts";
import { SlotQueue } from "./slot-queue.ts";
import { Wishes } from "./wishes.ts";

/** A line of the kept plan and what it did. */
export interface Line {
  readonly regulation: Regulation;
  readonly visits: FirstVisits;
  readonly queue: SlotQueue;
  /** Marks the flights that this line may ever serve; 0 if there was no bit left. */
  readonly bit: number;
  /** Delay of every flight after this line. */
  readonly delay: Uint8Array;
}

/** What a tried plan's line did differently; `from..to` of the kept queue becomes `start..end` of the trial queue. */
export interface Step {
  readonly regulation: Regulation;
  readonly visits: FirstVisits;
  /** The kept line this continues; undefined for a line the kept plan does not have. */
  readonly line: Line | undefined;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** When the queue is free after the last flight of `start..end`. */
  readonly free: number;
  /** Flights whose delay after a kept line differs: a range of the change log. */
  readonly changesStart: number;
  readonly changesEnd: number;
}

/**
 * The lines of a plan that was kept, with the delays after each of them, and what another plan would change. A plan is
 * served line by line along the kept ones: lines that it has too are served again only where a changed flight joins,
 * leaves or moves in their queue; others are put in, left out, or made of a kept line of the same volume. Nothing that the
 * kept lines are made of is written before `keep`.
 */
export class KeptLines {
  /** The flights that a plan, after `serve`, delays differently. */
  readonly changes: ChangedFlights;
  /** What the lines of a plan that was served and noted did; those before them are as kept. */
  steps: Step[] = [];
  /** Slots of the steps. */
  readonly trial = new SlotQueue();
  /** The plan that was kept, and what its lines did. */
  plan: Plan = [];
  lines: Line[] = [];

  readonly #binMinutes: number;
  readonly #firstVisits: (volume: number) => FirstVisits;
  readonly #undelayed: Uint8Array;
  readonly #marks: LineMarks;
  /** Bits of each line and all those after it. */
  #bitsFrom = new Int32Array(1);
  /** The longest delay of any flight after so many of the kept lines. */
  #mostDelay = new Uint8Array(1);
  /** Columns of lines that were taken out, for lines to come. */
  readonly #spare: Pick<Line, "queue" | "delay">[] = [];
  readonly #wishes: Wishes;
  readonly #joining = new Arrivals();
  /** The first minute at which a queue meets a changed flight. */
  #earliest = 0;
  /** Whether the lines of the plan are noted in `steps`; most plans that are tried are never kept. */
  #noting = false;
  /** Where the log has the changes as they are now; -1 if they are not in it. */
  #notedAt = -1;

  constructor(instance: Instance) {
    const flightCount = instance.flightIds.length;
    this.#binMinutes = instance.binMinutes;
    this.#firstVisits = firstVisitsOf(instance);
    this.#undelayed = new Uint8Array(flightCount);
    this.#marks = new LineMarks(flightCount, instance.binMinutes);
    this.changes = new ChangedFlights(flightCount, this.#marks);
    this.#wishes = new Wishes(instance.binMinutes);
  }

  /** Delay of every flight under the kept plan. */
  get delay(): Uint8Array {
    return this.#delayAfter(this.lines.length - 1);
  }

  /** No flight is delayed by more than this under the kept plan. */
  get mostDelay(): number {
    return this.#mostDelay[this.lines.length];
  }

  /** Applies a plan to the traffic as far as it differs from the kept one; notes what each line does only if asked. */
  serve(plan: Plan, noting: boolean): void {
    this.#noting = noting;
    this.#notedAt = -1;
    this.steps = [];
    this.trial.count = 0;
    this.changes.clear();

    const kept = this.plan;
    const shorter = Math.min(kept.length, plan.length);
    let k = 0;
    while (k < shorter && sameRegulation(kept[k], plan[k])) k++;
    let suffix = 0;
    while (suffix < shorter - k && sameRegulation(kept[kept.length - 1 - suffix], plan[plan.length - 1 - suffix])) {
      suffix++;
    }
    const end = plan.length - suffix;
    const keptEnd = kept.length - suffix;
    let at = k;
    while (at < end || k < keptEnd) {
      if (at === end) this.#leaveOut(k++);
      else if (k === keptEnd) this.#putIn(plan[at++], k);
      else if (sameRegulation(kept[k], plan[at])) {
        this.#serveAgain(k++);
        at++;
      } else {
        const keptLater = indexOf(plan[at], kept, k, keptEnd);
        const newLater = indexOf(kept[k], plan, at, end);
        if (keptLater < 0 && newLater < 0) this.#serveInPlaceOf(k++, plan[at++]);
        // A line that is elsewhere in the other plan is left out here and put in there, or the fewer ones it has passed.
        else if (newLater < 0 || (keptLater >= 0 && keptLater - k <= newLater - at)) this.#leaveOut(k++);
        else this.#putIn(plan[at++], k);
      }
    }
    for (; k < kept.length; k++) this.#serveAgain(k);
  }

  /** Makes the plan that was served, and noted, the kept one. */
  keep(plan: Plan): void {
    const prefix = plan.length - this.steps.length;
    const lines = this.lines.slice(0, prefix);
    const continued = new Set(this.steps.map(({ line }) => line));
    for (let k = prefix; k < this.lines.length; k++) {
      const line = this.lines[k];
      if (continued.has(line)) continue;
      this.#marks.release(line.regulation, line.visits, line.bit);
      this.#spare.push(line);
    }
    for (const step of this.steps) lines.push(this.#keepStep(step, lines.at(-1)?.delay ?? this.#undelayed));
    this.lines = lines;
    this.plan = plan;
    this.#bitsFrom = new Int32Array(lines.length + 1);
    for (let k = lines.length - 1; k >= 0; k--) this.#bitsFrom[k] = this.#bitsFrom[k + 1] | lines[k].bit;
    this.#mostDelay = new Uint8Array(lines.length + 1);
    lines.forEach(({ queue }, k) => {
      this.#mostDelay[k + 1] = Math.max(this.#mostDelay[k], queue.mostDelay);
    });
  }

  #delayAfter(k: number): Uint8Array {
    return k < 0 ? this.#undelayed : this.lines[k].delay;
  }

  /** Where slots are noted, if they are. */
  get #slots(): SlotQueue | undefined {
    return this.#noting ? this.trial : undefined;
  }

  /** Serves a line the kept plan does not have before its line k. */
  #putIn(regulation: Regulation, k: number): void {
    this.changes.linesToCome = this.#bitsFrom[k];
    const before = this.#delayAfter(k - 1);
    const visits = this.#firstVisits(regulation.volume);
    const start = this.trial.count;
    this.#wishes.gather(regulation, visits, before, this.#mostDelay[k], this.changes, this.#joining);
    serveArrivals(regulation.ratePerHour, this.#joining, before, this.changes, this.#slots);
    this.#endStep(regulation, visits, undefined, 0, 0, start);
  }

  /** Takes out kept line k: changes are from here on against the delay after it. */
  #leaveOut(k: number): void {
    const before = this.#delayAfter(k - 1);
    const { queue, delay: after } = this.lines[k];
    const { flight, wait, count } = queue;
    const { changes } = this;
    changes.linesToCome = this.#bitsFrom[k + 1];
    const { mark, epoch, delay: now } = changes;
    for (let i = 0; i < count; i++) {
      if (wait[i] === 0) continue;
      const f = flight[i];
      if (mark[f] !== epoch) changes.add(f, before[f]);
      else if (now[f] === after[f]) changes.remove(f);
    }
    this.#notedAt = -1;
  }

  /** Serves a line instead of kept line k. */
  #serveInPlaceOf(k: number, regulation: Regulation): void {
    const { regulation: was, queue, visits } = this.lines[k];
    if (regulation.volume !== was.volume || this.changes.listed > 0) {
      this.#putIn(regulation, k);
      this.#leaveOut(k);
      return;
    }
    this.changes.linesToCome = this.#bitsFrom[k + 1];
    const start = this.trial.count;
    if (regulation.fromBin === was.fromBin && regulation.toBin === was.toBin && regulation.flows === was.flows) {
      serveAtOtherRate(regulation.ratePerHour, queue, this.changes, this.#slots);
    } else this.#refit(k, regulation);
    this.#endStep(regulation, visits, undefined, 0, 0, start);
  }

  /** Serves kept line k with another reach or rate: flights that are new in it join its queue, and those not in it leave. */
  #refit(k: number, regulation: Regulation): void {
    const { queue, visits, delay: after, regulation: was } = this.lines[k];
    const before = this.#delayAfter(k - 1);
    const { changes } = this;
    const joining = this.#joining;
    this.#wishes.gather(regulation, visits, before, this.#mostDelay[k], changes, joining, was);
    let earliest = joining.count > 0 ? joining.minute[0] : Number.POSITIVE_INFINITY;
    for (let i = 0; i < joining.count; i++) changes.add(joining.flight[i], before[joining.flight[i]]);

    const from = lowerBound(queue.wish, queue.count, regulation.fromBin * this.#binMinutes);
    const to = lowerBound(queue.wish, queue.count, regulation.toBin * this.#binMinutes);
    const fewerFlows = (was.flows & ~regulation.flows) !== 0;
    let leaving = 0;
    for (let i = 0; i < queue.count; i++) {
      const f = queue.flight[i];
      if (i >= from && i < to) {
        if (!fewerFlows) {
          i = to - 1;
          continue;
        }
        if ((visits.flowBitOf[f] & regulation.flows) !== 0) continue;
      }
      changes.add(f, MAX_DELAY_MINUTES - queue.room[i]);
      if (leaving++ === 0) earliest = Math.min(earliest, queue.wish[i]);
    }
    // At another rate no slot is as before; and what is noted must be a whole queue, because the line is another one.
    const whole = this.#noting || regulation.ratePerHour !== was.ratePerHour;
    const { ratePerHour } = regulation;
    const resumed = whole ? 0 : lowerBound(queue.wish, queue.count, earliest);
    const unsettled = changes.listed;
    serveMerged(ratePerHour, queue, resumed, leaving, joining, !whole, changes, this.#slots);
    changes.dropEqual(changes.flight, unsettled, after);
  }

  /** Serves kept line k where a changed flight joins, leaves or moves in its queue; ends where nothing differs any more. */
  #serveAgain(k: number): void {
    const line = this.lines[k];
    const { regulation, visits, queue, delay: after } = line;
    const { changes } = this;
    changes.linesToCome = this.#bitsFrom[k + 1];
    const start = this.trial.count;
    const leaving = this.#meet(line, this.#delayAfter(k - 1));
    if (leaving + this.#joining.count === 0) {
      this.#endStep(regulation, visits, line, 0, 0, start);
      return;
    }
    const resumed = lowerBound(queue.wish, queue.count, this.#earliest);
    const { ratePerHour } = regulation;
    const stopped = serveMerged(ratePerHour, queue, resumed, leaving, this.#joining, true, changes, this.#slots);
    changes.dropEqual(changes.met, changes.metCount, after);
    this.#endStep(regulation, visits, line, resumed, stopped, start);
  }

  /** Finds the changed flights that join a kept line's queue, sorted, and counts those that leave their place in it. */
  #meet({ regulation, visits, bit }: Line, before: Uint8Array): number {
    const { changes } = this;
    const joining = this.#joining;
    joining.count = 0;
    const metCount = changes.meet(bit, regulation.flows, visits.flowBitOf);
    if (metCount === 0) return 0;
    const { minuteOf } = visits;
    const { met, mark, epoch, delay: now } = changes;
    joining.reserve(metCount);
    const { flight: joinFlight, minute: joinMinute } = joining;
    const from = regulation.fromBin * this.#binMinutes;
    const to = regulation.toBin * this.#binMinutes;
    let leaving = 0;
    let joined = 0;
    let earliest = Number.POSITIVE_INFINITY;
    for (let m = 0; m < metCount; m++) {
      const f = met[m];
      if (mark[f] !== epoch) continue;
      const minute = minuteOf[f];
      const was = minute + before[f];
      const is = minute + now[f];
      if (was >= from && was < to) {
        leaving++;
        if (was < earliest) earliest = was;
      }
      if (is >= from && is < to) {
        joinFlight[joined] = f;
        joinMinute[joined++] = is;
        if (is < earliest) earliest = is;
      }
    }
    joining.count = joined;
    if (joined > 0) joining.sort(from, to);
    this.#earliest = earliest;
    return leaving;
  }

  /** Notes what a line did, and the changes after it. */
  #endStep(
    regulation: Regulation,
    visits: FirstVisits,
    line: Line | undefined,
    from: number,
    to: number,
    start: number,
  ): void {
    if (!this.#noting) return;
    const { changes, trial } = this;
    const end = trial.count;
    if (line === undefined || from < to || start < end) this.#notedAt = -1;
    if (line !== undefined && this.#notedAt < 0) {
      this.#notedAt = changes.noted;
      changes.note();
    }
    const changesStart = line === undefined ? changes.noted : this.#notedAt;
    const changesEnd = changes.noted;
    this.steps.push({
      regulation,
      visits,
      line,
      from,
      to,
      start,
      end,
      free: trial.free[end],
      changesStart,
      changesEnd,
    });
  }

  #keepStep(step: Step, before: Uint8Array): Line {
    const { trial } = this;
    if (step.line === undefined) {
      const { regulation, visits, start, end } = step;
      const { queue, delay } = this.#spare.pop() ?? { queue: new SlotQueue(), delay: new Uint8Array(before.length) };
      queue.splice(0, queue.count, trial, start, end);
      queue.free[queue.count] = step.free;
      delay.set(before);
      for (let i = start; i < end; i++) delay[trial.flight[i]] += trial.wait[i];
      return { regulation, visits, queue, delay, bit: this.#marks.take(regulation, visits) };
    }
    const { queue, delay } = step.line;
    if (step.from < step.to || step.start < step.end) {
      const toTheEnd = step.to === queue.count;
      queue.splice(step.from, step.to, trial, step.start, step.end);
      if (toTheEnd) queue.free[queue.count] = step.free;
    }
    const { notedFlight, notedDelay } = this.changes;
    for (let c = step.changesStart; c < step.changesEnd; c++) delay[notedFlight[c]] = notedDelay[c];
    return step.line;
  }
}

/** Where in [from, end) of a plan there is such a line; -1 if nowhere. */
function indexOf(regulation: Regulation, plan: Plan, from: number, end: number): number {
  for (let at = from; at < end; at++) if (sameRegulation(regulation, plan[at])) return at;
  return -1;
}
