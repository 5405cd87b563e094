import { hostname } from "node:os";
import type { WorkerIdentity } from "@coppice/engine/pools";
import type { Report, Saying } from "../protocol.ts";

/** The most places a run has when it takes whoever is there. */
const MOST_SEATS = 1024;
const HERE = hostname();

/** A place for one worker. Several may sit on it one after the other; each such sitting has a name. */
export interface Seat {
  readonly number: number;
  /** Its job in the common queue. */
  job: string;
  invitations: number;
  /** Times in a row that Redis did not know its job. */
  missing: number;
  sitting: string | undefined;
  workerId: string;
  host: string;
  /** Reports heard of this sitting. */
  heard: number;
  identity: WorkerIdentity | undefined;
  ready: boolean;
  /** Its worker has not been heard of for too long. */
  silent: boolean;
}

/** What a saying tells. */
interface HeardSeat {
  readonly seat: Seat;
  readonly current: boolean;
  readonly reports: readonly Report[];
  /** Who sat there until now. */
  readonly gone?: WorkerIdentity | undefined;
}

/** Who works for a run, and where. */
export class Seats {
  readonly #all: Seat[] = [];
  readonly #past = new Set<string>();
  readonly #endless: boolean;

  constructor(count: number, endless: boolean) {
    this.#endless = endless;
    for (let i = 0; i < count; i++) this.#add();
  }

  get all(): readonly Seat[] {
    return this.#all;
  }

  get ready(): number {
    return this.#all.filter(({ ready, silent }) => ready && !silent).length;
  }

  get taken(): Seat[] {
    return this.#all.filter(({ sitting }) => sitting !== undefined);
  }

  /** One more place, when all are taken and nobody said how many there may be. */
  grow(): Seat | undefined {
    const full = this.#all.every(({ sitting }) => sitting !== undefined);
    return this.#endless && full && this.#all.length < MOST_SEATS ? this.#add() : undefined;
  }

  /**
   * Whose saying this is, and what of it is new; reports of one who has lost the seat count only where they are results.
   * Undefined when there is no such seat.
   */
  hear({ seat: number, sitting, workerId, host, from, reports }: Saying): HeardSeat | undefined {
    const seat = this.#all.at(number);
    if (seat?.number !== number) return undefined;
    if (seat.sitting !== sitting) {
      if (this.#past.has(sitting)) return { seat, current: false, reports };
      const gone = this.vacate(seat);
      Object.assign(seat, { sitting, workerId, host, heard: from + reports.length, missing: 0 });
      return { seat, current: true, reports, gone };
    }
    const fresh = reports.slice(Math.max(0, seat.heard - from));
    seat.heard = Math.max(seat.heard, from + reports.length);
    return { seat, current: true, reports: fresh };
  }

  /** The worker of a seat has a new process or thread, or lost it. */
  worker(
    seat: Seat,
    { pid, pidStart }: { readonly pid: number; readonly pidStart: string },
    ready: boolean,
  ): WorkerIdentity {
    seat.identity = { worker: seat.number, pid, pidStart, ...(seat.host === HERE ? {} : { host: seat.host }) };
    seat.ready = ready;
    return seat.identity;
  }

  /** Nobody sits there any more; returns who did, if that one was ready. */
  vacate(seat: Seat): WorkerIdentity | undefined {
    if (seat.sitting !== undefined) this.#past.add(seat.sitting);
    const gone = seat.ready && !seat.silent ? seat.identity : undefined;
    Object.assign(seat, { sitting: undefined, ready: false, silent: false, identity: undefined });
    return gone;
  }

  #add(): Seat {
    const seat: Seat = {
      number: this.#all.length,
      job: "",
      invitations: 0,
      missing: 0,
      sitting: undefined,
      workerId: "",
      host: "",
      heard: 0,
      identity: undefined,
      ready: false,
      silent: false,
    };
    this.#all.push(seat);
    return seat;
  }
}
