import { MAX_DELAY_MINUTES } from "../regulation.ts";

/** A growable list of slots given out, in order of service: who, when they wanted, when the queue was free, how long they waited. */
export class SlotQueue {
  flight = new Int32Array(64);
  /** Minute of the wish: the undelayed entry plus the delay so far. */
  wish = new Float64Array(64);
  /** First free minute before this flight was served; the entry after the last says when the queue is free again. */
  free = new Float64Array(64);
  /** Minutes of delay the flight could still be given. */
  room = new Uint8Array(64);
  /** Minutes of delay added. */
  wait = new Uint8Array(64);
  count = 0;
  /** The longest delay with which a flight leaves this queue; known after a splice. */
  mostDelay = 0;

  /** Makes room for `extra` more flights and the free minute after the last. */
  reserve(extra: number): void {
    const needed = this.count + extra + 1;
    if (needed <= this.flight.length) return;
    const length = Math.max(needed, 2 * this.flight.length);
    this.flight = copyInto(new Int32Array(length), this.flight);
    this.wish = copyInto(new Float64Array(length), this.wish);
    this.free = copyInto(new Float64Array(length), this.free);
    this.room = copyInto(new Uint8Array(length), this.room);
    this.wait = copyInto(new Uint8Array(length), this.wait);
  }

  /** Appends a flight; there has to be room for it. */
  push(flight: number, wish: number, free: number, room: number, wait: number): void {
    const at = this.count++;
    this.flight[at] = flight;
    this.wish[at] = wish;
    this.free[at] = free;
    this.room[at] = room;
    this.wait[at] = wait;
  }

  /** Replaces [from, to) by [start, end) of another queue. The free minutes before `from` and from `to` on stay. */
  splice(from: number, to: number, other: SlotQueue, start: number, end: number): void {
    const tail = this.count - to;
    const at = from + end - start;
    this.reserve(Math.max(0, at - to));
    this.flight.copyWithin(at, to, to + tail);
    this.wish.copyWithin(at, to, to + tail);
    this.free.copyWithin(at, to, to + tail + 1);
    this.room.copyWithin(at, to, to + tail);
    this.wait.copyWithin(at, to, to + tail);
    this.flight.set(other.flight.subarray(start, end), from);
    this.wish.set(other.wish.subarray(start, end), from);
    this.free.set(other.free.subarray(start, end), from);
    this.room.set(other.room.subarray(start, end), from);
    this.wait.set(other.wait.subarray(start, end), from);
    this.count = at + tail;
    let most = 0;
    for (let i = 0; i < this.count; i++) most = Math.max(most, MAX_DELAY_MINUTES - this.room[i] + this.wait[i]);
    this.mostDelay = most;
  }
}

function copyInto<Column extends Int32Array | Float64Array | Uint8Array>(larger: Column, column: Column): Column {
  larger.set(column);
  return larger;
}
