import type { Random } from "@coppice/engine/evaluator";
import { binsPerHour, type Instance } from "../instance/instance.ts";
import { type FirstVisits, firstVisitsOf, lowerBound } from "../network/first-visits.ts";
import type { HotRun } from "./hot-hours.ts";

/** Another volume on the way of a flight that enters a hotspot. */
export interface PlaceAlong {
  readonly volume: number;
  /** The flight's flow there. */
  readonly flow: number;
  /** Bins from the hotspot to that place; negative before it. */
  readonly binsLater: number;
}

/** Finds where else the flights of a hotspot pass: holding them back there also helps, and spares others. */
export class AlongTracks {
  readonly #instance: Instance;
  readonly #firstVisits: (volume: number) => FirstVisits;

  constructor(instance: Instance) {
    this.#instance = instance;
    this.#firstVisits = firstVisitsOf(instance);
  }

  /** A place on the way of one of the hotspot's flights, as scheduled; undefined if it is the hotspot itself. */
  draw({ volume, fromBin, toBin }: HotRun, random: Random): PlaceAlong | undefined {
    const { binMinutes, visitOffset, visitVolume, visitFlow, takeoffSecond, entrySecond } = this.#instance;
    const { minute, flight } = this.#firstVisits(volume);
    const hour = binsPerHour(this.#instance);
    // From half an hour before, because flights are held back into it, to the end of its last rolling hour.
    const first = lowerBound(minute, minute.length, (fromBin - hour / 2) * binMinutes);
    const end = lowerBound(minute, minute.length, (toBin + hour - 1) * binMinutes);
    if (end <= first) return undefined;
    const at = random.integer(first, end - 1);
    const f = flight[at];
    const visit = random.integer(visitOffset[f], visitOffset[f + 1] - 1);
    if (visitVolume[visit] === volume) return undefined;
    const minutesLater = (takeoffSecond[f] + entrySecond[visit]) / 60 - minute[at];
    const binsLater = Math.round(minutesLater / binMinutes);
    return { volume: visitVolume[visit], flow: visitFlow[visit], binsLater };
  }
}
