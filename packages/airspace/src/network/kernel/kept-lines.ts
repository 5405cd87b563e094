import type { Instance } from "../../instance/instance.ts";
import { MAX_FLOWS, type Plan, type Regulation, sameRegulation } from "../regulation.ts";
import { GrowingList, LINE_BYTES, LineMemory, SLOT_BYTES } from "./line-memory.ts";

/** A line of the kept plan and what it did; addresses are of compiled/columns.as. */
interface Line {
  readonly regulation: Regulation;
  readonly at: number;
  /** Delay of every flight after this line. */
  readonly delay: number;
  /** Marks the flights that this line may ever serve; 0 if there was no bit left. */
  readonly bit: number;
}

/** What a tried plan's line did differently; slots `from..to` of the kept line become those of the trial, `start` to `end`. */
interface Step {
  readonly regulation: Regulation;
  /** The kept line this continues; undefined for a line the kept plan does not have. */
  readonly line: Line | undefined;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** When the queue is free after the last slot of `start..end`. */
  readonly free: number;
  /** Flights whose delay after a kept line differs: a stretch of the log. */
  readonly noted: Stretch;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Words of a line after its window, rate, flows and bit, as compiled/columns.as has them; then how many slots it has room for. */
const FLOWS = 6;
const BIT = 7;
const AT_VOLUME = 8;
const SLOTS = 9;
const SLOT_COUNT = 10;
const DELAY = 11;
const LONGEST = 12;
const SLOT_ROOM = 13;
/** Byte of a slot. */
const WAIT_BYTE = 21;

/**
 * The lines of a plan that was kept, with the delays after each of them, and what another plan would change. A plan is
 * served line by line along the kept ones: lines that it has too are served again only where a changed flight joins,
 * leaves or moves in their queue; others are put in, left out, or made of a kept line of the same volume. Nothing that the
 * kept lines are made of is written before `keep`. Serving is a hot loop and compiled, see compiled/lines.as.
 */
export class KeptLines {
  /** The plan that was kept. */
  plan: Plan = [];

  readonly #binMinutes: number;
  readonly #memory: LineMemory;
  #lines: Line[] = [];
  /** What the lines of a plan that was served and noted did; those before them are as kept. */
  #steps: Step[] = [];
  readonly #undelayed: number;
  /** Flights per flow that were last counted. */
  readonly #entrants: number;
  /** Bits of lines that no line has. */
  #freeBits = -1;
  /** Bits of each line and all those after it. */
  #bitsFrom = new Int32Array(1);
  /** The longest delay of any flight after so many of the kept lines. */
  #longest = new Uint8Array(1);
  /** Lines that were taken out, for lines to come. */
  readonly #spare: number[] = [];
  /** Slots of the steps, and the changes after them. */
  readonly #trial: GrowingList;
  readonly #log: GrowingList;
  /** Whether the lines of the plan are noted in `steps`; most plans that are tried are never kept. */
  #noting = false;
  /** Where the log has the changes as they are now. */
  #noted: Stretch | undefined;

  constructor(instance: Instance) {
    this.#binMinutes = instance.binMinutes;
    this.#memory = new LineMemory(instance);
    this.#undelayed = this.#memory.take(instance.flightIds.length);
    this.#entrants = this.#memory.take(4 * (MAX_FLOWS + 1));
    this.#trial = new GrowingList(this.#memory);
    this.#log = new GrowingList(this.#memory);
  }

  /** Adds to `counts[flow]` the flights that first enter a volume in minutes [from, to) as the kept plan delays them. */
  countEntrants(volume: number, from: number, to: number, counts: Float64Array): void {
    const at = this.#memory.volume(volume);
    const last = this.#lines.length;
    const { lines, words } = this.#memory;
    lines.countEntrants(at, from, to, this.#delayAfter(last - 1), this.#longest[last], this.#entrants);
    for (let flow = 0; flow < MAX_FLOWS; flow++) counts[flow] += words[this.#entrants / 4 + flow];
  }

  /** By how many minutes all flights that were last ordered to move are later than before. */
  get minutesLater(): number {
    return this.#memory.lines.minutesLater.value;
  }

  /** Says which flights the plan that was served moves: flight, and its delay before times 65536 plus the one now. Returns how many. */
  order(orders: Int32Array): number {
    const { lines, words } = this.#memory;
    const count = lines.order(this.#delayAfter(this.#lines.length - 1));
    const at = lines.orders.value / 4;
    orders.set(words.subarray(at, at + 2 * count));
    return count;
  }

  /** Applies a plan to the traffic as far as it differs from the kept one; notes what each line does only if asked. */
  serve(plan: Plan, noting: boolean): void {
    this.#noting = noting;
    this.#noted = undefined;
    this.#steps = [];
    this.#trial.used = 0;
    this.#log.used = 0;
    this.#memory.lines.begin();

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
    const prefix = plan.length - this.#steps.length;
    const lines = this.#lines.slice(0, prefix);
    const continued = new Set(this.#steps.map(({ line }) => line));
    for (let k = prefix; k < this.#lines.length; k++) {
      const line = this.#lines[k];
      if (continued.has(line)) continue;
      this.#memory.lines.markServed(line.at, 0);
      this.#freeBits |= line.bit;
      this.#spare.push(line.at);
    }
    for (const step of this.#steps) lines.push(this.#keepStep(step, lines.at(-1)?.delay ?? this.#undelayed));
    this.#lines = lines;
    this.plan = plan;
    this.#bitsFrom = new Int32Array(lines.length + 1);
    for (let k = lines.length - 1; k >= 0; k--) this.#bitsFrom[k] = this.#bitsFrom[k + 1] | lines[k].bit;
    this.#longest = new Uint8Array(lines.length + 1);
    lines.forEach(({ at }, k) => {
      this.#longest[k + 1] = Math.max(this.#longest[k], this.#memory.words[at / 4 + LONGEST]);
    });
  }

  /** Every slot of a plan that was served and noted: of its k-th line, when a flight wanted to enter and how long it waits. */
  eachSlot(plan: Plan, visit: (k: number, wish: number, wait: number) => void): void {
    const { words } = this.#memory;
    const prefix = plan.length - this.#steps.length;
    plan.forEach((_, k) => {
      const step = k < prefix ? undefined : this.#steps[k - prefix];
      const line = step === undefined ? this.#lines[k] : step.line;
      const keptEnd = line === undefined ? 0 : words[line.at / 4 + SLOT_COUNT];
      const slots = line === undefined ? 0 : words[line.at / 4 + SLOTS];
      this.#eachOf(slots, 0, step?.from ?? keptEnd, k, visit);
      if (step === undefined) return;
      this.#eachOf(slots, step.to, keptEnd, k, visit);
      this.#eachOf(this.#trial.at + step.start, 0, (step.end - step.start) / SLOT_BYTES, k, visit);
    });
  }

  #eachOf(slots: number, from: number, to: number, k: number, visit: (k: number, wish: number, wait: number) => void) {
    const { bytes, numbers } = this.#memory;
    for (let at = slots + from * SLOT_BYTES; at < slots + to * SLOT_BYTES; at += SLOT_BYTES) {
      visit(k, numbers[at / 8], bytes[at + WAIT_BYTE]);
    }
  }

  #delayAfter(k: number): number {
    return k < 0 ? this.#undelayed : this.#lines[k].delay;
  }

  /** Serves a line the kept plan does not have before its line k. */
  #putIn(regulation: Regulation, k: number): void {
    const volume = this.#memory.volume(regulation.volume);
    const start = this.#beginStep(volume);
    const { fromBin, toBin, flows, ratePerHour } = regulation;
    this.#memory.lines.putIn(
      fromBin * this.#binMinutes,
      toBin * this.#binMinutes,
      60 / ratePerHour,
      flows,
      volume,
      this.#delayAfter(k - 1),
      this.#longest[k],
      this.#bitsFrom[k],
    );
    this.#endStep(regulation, undefined, start);
  }

  /** Takes out kept line k: changes are from here on against the delay after it. */
  #leaveOut(k: number): void {
    this.#memory.lines.leaveOut(this.#lines[k].at, this.#delayAfter(k - 1), this.#bitsFrom[k + 1]);
    this.#noted = undefined;
  }

  /** Serves a line instead of kept line k. */
  #serveInPlaceOf(k: number, regulation: Regulation): void {
    const { regulation: was, at } = this.#lines[k];
    const { lines: compiled, words } = this.#memory;
    if (regulation.volume !== was.volume || compiled.isChanged()) {
      this.#putIn(regulation, k);
      this.#leaveOut(k);
      return;
    }
    const start = this.#beginStep(words[at / 4 + AT_VOLUME]);
    const { fromBin, toBin, flows, ratePerHour } = regulation;
    const gap = 60 / ratePerHour;
    if (fromBin === was.fromBin && toBin === was.toBin && flows === was.flows) {
      compiled.serveRate(at, gap, this.#bitsFrom[k + 1]);
    } else {
      compiled.refit(
        at,
        fromBin * this.#binMinutes,
        toBin * this.#binMinutes,
        gap,
        flows,
        this.#delayAfter(k - 1),
        this.#longest[k],
        // At another rate no slot is as before; and what is noted must be a whole queue, because the line is another one.
        this.#noting || ratePerHour !== was.ratePerHour,
        this.#bitsFrom[k + 1],
      );
    }
    this.#endStep(regulation, undefined, start);
  }

  /** Serves kept line k where a changed flight joins, leaves or moves in its queue; ends where nothing differs any more. */
  #serveAgain(k: number): void {
    const line = this.#lines[k];
    const start = this.#noting ? this.#beginStep(this.#memory.words[line.at / 4 + AT_VOLUME]) : 0;
    this.#memory.lines.serveAgain(line.at, this.#delayAfter(k - 1), this.#bitsFrom[k + 1]);
    this.#endStep(line.regulation, line, start);
  }

  /** Makes room for the slots of a line at a volume: a flight has one at most. Returns where they begin. */
  #beginStep(volume: number): number {
    if (!this.#noting) return 0;
    const trial = this.#trial;
    trial.reserve((this.#memory.words[volume / 4] + 1) * SLOT_BYTES);
    this.#memory.lines.writeSlots(trial.at + trial.used);
    return trial.used;
  }

  /** Notes what a line did, and the changes after it. */
  #endStep(regulation: Regulation, line: Line | undefined, start: number): void {
    if (!this.#noting) return;
    const compiled = this.#memory.lines;
    const end = compiled.trial.value - this.#trial.at;
    this.#trial.used = end;
    const [from, to] = line === undefined ? [0, 0] : [compiled.resumed.value, compiled.stopped.value];
    if (line === undefined || from < to || start < end) this.#noted = undefined;
    if (line !== undefined) this.#noted ??= this.#note();
    const noted = this.#noted ?? { start: 0, end: 0 };
    this.#steps.push({ regulation, line, from, to, start, end, free: compiled.freeAfter.value, noted });
  }

  /** Appends the changes to the log. */
  #note(): Stretch {
    const log = this.#log;
    log.reserve(4 * (this.#memory.flightCount + 1));
    const start = log.used;
    log.used = this.#memory.lines.note(log.at + start) - log.at;
    return { start, end: log.used };
  }

  #keepStep({ regulation, line, from, to, start, end, free, noted }: Step, before: number): Line {
    const compiled = this.#memory.lines;
    const added = (end - start) / SLOT_BYTES;
    if (line === undefined) {
      const kept = this.#open(regulation);
      this.#splice(kept.at, 0, 0, start, added, free);
      compiled.delayFrom(kept.at, before);
      compiled.markServed(kept.at, -1);
      return kept;
    }
    if (from < to || added > 0) this.#splice(line.at, from, to, start, added, free);
    compiled.delayAsNoted(line.at, this.#log.at + noted.start, this.#log.at + noted.end);
    return line;
  }

  /** A line without slots. */
  #open(regulation: Regulation): Line {
    const memory = this.#memory;
    const { fromBin, toBin, flows, ratePerHour } = regulation;
    const volume = memory.volume(regulation.volume);
    let at = this.#spare.pop();
    if (at === undefined) {
      at = memory.take(LINE_BYTES);
      const delay = memory.take(memory.flightCount);
      memory.words[at / 4 + DELAY] = delay;
    }
    const bit = this.#freeBits & -this.#freeBits;
    this.#freeBits ^= bit;
    const { words } = memory;
    memory.numbers.set([fromBin * this.#binMinutes, toBin * this.#binMinutes, 60 / ratePerHour], at / 8);
    words[at / 4 + FLOWS] = flows;
    words[at / 4 + BIT] = bit;
    words[at / 4 + AT_VOLUME] = volume;
    words[at / 4 + SLOT_COUNT] = 0;
    return { regulation, at, delay: words[at / 4 + DELAY], bit };
  }

  /** Replaces slots [from, to) of a line by some of the trial. */
  #splice(line: number, from: number, to: number, start: number, added: number, free: number): void {
    const memory = this.#memory;
    const count = memory.words[line / 4 + SLOT_COUNT];
    const needed = count - to + from + added + 1;
    if (needed > memory.words[line / 4 + SLOT_ROOM]) {
      const slots = memory.take(2 * needed * SLOT_BYTES);
      const { words, bytes } = memory;
      const old = words[line / 4 + SLOTS];
      bytes.copyWithin(slots, old, old + (count + 1) * SLOT_BYTES);
      words[line / 4 + SLOTS] = slots;
      words[line / 4 + SLOT_ROOM] = 2 * needed;
    }
    memory.lines.splice(line, from, to, this.#trial.at + start, added, free);
  }
}

/** Where in [from, end) of a plan there is such a line; -1 if nowhere. */
function indexOf(regulation: Regulation, plan: Plan, from: number, end: number): number {
  for (let at = from; at < end; at++) if (sameRegulation(regulation, plan[at])) return at;
  return -1;
}
