import type { Instance } from "../../instance/instance.ts";
import { MAX_DELAY_MINUTES } from "../regulation.ts";
import { type CompiledMemory, instantiate, memoryOf, PAGE_BYTES } from "../web-assembly.ts";
import { linesWasm } from "./compiled/lines-wasm.ts";
import { firstVisitsOf } from "./first-visits.ts";

/** What compiled/lines.as exports. All numbers that stand for lines, volumes, delays and slots are addresses. */
interface CompiledLines {
  open(start: number, flights: number, mostDelay: number, dayMinutes: number): number;
  begin(): void;
  writeSlots(trial: number): void;
  isChanged(): number;
  putIn(
    from: number,
    to: number,
    gap: number,
    flows: number,
    volume: number,
    before: number,
    longest: number,
    linesToCome: number,
  ): void;
  leaveOut(line: number, before: number, linesToCome: number): void;
  serveRate(line: number, gap: number, linesToCome: number): void;
  refit(
    line: number,
    from: number,
    to: number,
    gap: number,
    flows: number,
    before: number,
    longest: number,
    whole: boolean,
    linesToCome: number,
  ): void;
  serveAgain(line: number, before: number, linesToCome: number): void;
  order(before: number): number;
  note(log: number): number;
  splice(line: number, from: number, to: number, trial: number, added: number, free: number): void;
  delayFrom(line: number, before: number): void;
  delayAsNoted(line: number, from: number, to: number): void;
  markServed(line: number, set: -1 | 0): void;
  countEntrants(volume: number, from: number, to: number, delay: number, longest: number, counts: number): void;
  readonly orders: { readonly value: number };
  readonly minutesLater: { readonly value: number };
  readonly resumed: { readonly value: number };
  readonly stopped: { readonly value: number };
  readonly trial: { readonly value: number };
  readonly freeAfter: { readonly value: number };
}

/** Bytes of a slot, a first visit and a line, as compiled/columns.as lays them out. */
export const SLOT_BYTES = 24;
const VISIT_BYTES = 16;
export const LINE_BYTES = 56;

/** The memory of compiled lines: columns of flights, then what is asked for piece by piece and never given back. */
export class LineMemory {
  readonly lines: CompiledLines;
  readonly flightCount: number;
  readonly #memory: CompiledMemory;
  readonly #firstVisits: ReturnType<typeof firstVisitsOf>;
  readonly #volumes: number[] = [];
  #end: number;
  #words: Int32Array;
  #bytes: Uint8Array;
  #numbers: Float64Array;

  constructor(instance: Instance) {
    this.flightCount = instance.flightIds.length;
    this.#firstVisits = firstVisitsOf(instance);
    const dayMinutes = instance.binCount * instance.binMinutes;
    // Room for the columns of flights, a hundred bytes each, and for the buckets of a day's minutes.
    this.#memory = memoryOf(128 * (this.flightCount + 64) + 4 * (dayMinutes + 64));
    this.lines = instantiate<CompiledLines>(linesWasm, this.#memory);
    // 0 stands for no address.
    this.#end = this.lines.open(16, this.flightCount, MAX_DELAY_MINUTES, dayMinutes);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#words = new Int32Array(this.#memory.buffer);
    this.#numbers = new Float64Array(this.#memory.buffer);
  }

  /** All of it as bytes, words of 4 bytes, and numbers of 8; until more is taken. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }
  get words(): Int32Array {
    return this.#words;
  }
  get numbers(): Float64Array {
    return this.#numbers;
  }

  /** The address of so many bytes that nobody else has; all 0. */
  take(bytes: number): number {
    const start = this.#end;
    this.#end = (start + bytes + 15) & ~15;
    const missing = this.#end - this.#memory.buffer.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(Math.max(missing, this.#memory.buffer.byteLength / 4) / PAGE_BYTES));
      this.#bytes = new Uint8Array(this.#memory.buffer);
      this.#words = new Int32Array(this.#memory.buffer);
      this.#numbers = new Float64Array(this.#memory.buffer);
    }
    return start;
  }

  /** The first visits to a volume, put here when they are first needed. */
  volume(volume: number): number {
    this.#volumes[volume] ??= this.#place(volume);
    return this.#volumes[volume];
  }

  #place(volume: number): number {
    const { flight, minute, flowBit } = this.#firstVisits(volume);
    const count = flight.length;
    const head = this.take(16);
    const visits = this.take(count * VISIT_BYTES);
    const visitOf = this.take(4 * this.flightCount);
    this.words.set([count, visits, visitOf], head / 4);
    for (let i = 0; i < count; i++) {
      this.numbers[visits / 8 + 2 * i] = minute[i];
      this.words[visits / 4 + 4 * i + 2] = flight[i];
      this.words[visits / 4 + 4 * i + 3] = flowBit[i];
      this.words[visitOf / 4 + flight[i]] = visits + i * VISIT_BYTES;
    }
    return head;
  }
}

/** A list in the memory of compiled code, which may be elsewhere after it has grown. */
export class GrowingList {
  at = 0;
  /** Bytes in use, from its start on. */
  used = 0;
  readonly #memory: LineMemory;
  #room = 0;

  constructor(memory: LineMemory) {
    this.#memory = memory;
  }

  /** Makes room for so many more bytes. */
  reserve(bytes: number): void {
    if (this.used + bytes <= this.#room) return;
    const room = 2 * (this.used + bytes);
    const at = this.#memory.take(room);
    this.#memory.bytes.copyWithin(at, this.at, this.at + this.used);
    this.at = at;
    this.#room = room;
  }
}
