import type { Instance } from "../../instance/instance.ts";
import { MAX_DELAY_MINUTES } from "../regulation.ts";

/** Words of the longest record; visits that do not fit are kept with those at the edge. */
const LONGEST_RECORD = 64;

/**
 * The visits of every flight to some volumes, laid out for moving them together when the flight's delay changes.
 *
 * Each volume has a row of cells, one per bin, with an hour of cells before the day and two or more after it that take
 * what is not in the day. A flight's visits are sorted by phase, their minute within its bin, so that those which a change of
 * delay moves by the same number of bins follow each other and the others are not looked at. Visits that a delay can
 * move across an end of the day are kept apart, at the edge.
 */
export interface FlightVisits {
  /** Bins of an hour. */
  readonly perHour: number;
  /** A volume's row has `2 ** rowShift` cells; bin b is cell `perHour + b` of it. */
  readonly rowShift: number;

  /**
   * Visits that stay inside the day whatever their delay. Flight f's record starts at `f * recordWords`: how many visits
   * it has, negative if there are others; a byte per phase (and one more) with the number of visits of smaller phase;
   * the cell of each undelayed visit, by phase. Most records are one or two cache lines.
   */
  readonly recordWords: number;
  readonly record: Int32Array;
  /** Words from the start of a record to its visits. */
  readonly visitsAt: number;

  /** The other visits, at the edge, of flight f are [edgeStart[f], edgeStart[f + 1]). */
  readonly edgeStart: Int32Array;
  readonly edgeVolume: Int32Array;
  /** Whole minute of the visit, as an index into `placeOfMinute`. */
  readonly edgeMinute: Int32Array;
  /** Cell within its row for each minute. */
  readonly placeOfMinute: Int32Array;

  /** Whole bins of each delay, times 256, plus the phase from which on it takes a visit one bin further. */
  readonly delayShift: Int32Array;
}

/** Lays out an instance's visits to the volumes that are wanted. */
export function flightVisitsOf(instance: Instance, isWanted: (volume: number) => boolean): FlightVisits {
  const { binMinutes, binCount, visitOffset, visitVolume } = instance;
  const flightCount = instance.flightIds.length;
  const perHour = 60 / binMinutes;
  const rowShift = Math.max(5, Math.ceil(Math.log2(binCount + 3 * perHour)));
  const dayMinutes = binCount * binMinutes;
  // One minute before what the longest delay brings into the day, and the first minute after it, stand for all others.
  const earliest = -MAX_DELAY_MINUTES - 1;
  const placeOfMinute = Int32Array.from({ length: dayMinutes - earliest + MAX_DELAY_MINUTES + 1 }, (_, index) => {
    const minute = index + earliest;
    if (minute < 0) return perHour - 1;
    return perHour + (minute < dayMinutes ? Math.floor(minute / binMinutes) : binCount + perHour - 1);
  });

  const visitsAt = 1 + Math.ceil((binMinutes + 1) / 4);
  const wanted = Uint8Array.from(instance.volumeIds, (_, volume) => (isWanted(volume) ? 1 : 0));
  const recordWords = Math.min(LONGEST_RECORD, visitsAt + mostVisits(instance, wanted));
  const record = new Int32Array(flightCount * recordWords);
  const recordBytes = new Uint8Array(record.buffer);
  const edgeStart = new Int32Array(flightCount + 1);
  const edgeVolume = new Int32Array(visitVolume.length);
  const edgeMinute = new Int32Array(visitVolume.length);
  const cells = new Int32Array(recordWords);
  const phases = new Uint8Array(recordWords);
  for (let f = 0; f < flightCount; f++) {
    const head = f * recordWords;
    const phaseStart = recordBytes.subarray(4 * (head + 1), 4 * (head + 1) + binMinutes + 1);
    let inside = 0;
    let edge = edgeStart[f];
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      if (wanted[visitVolume[i]] === 0) continue;
      const minute = Math.floor((instance.takeoffSecond[f] + instance.entrySecond[i]) / 60);
      const staysInside = minute >= 0 && minute + MAX_DELAY_MINUTES < dayMinutes;
      if (staysInside && inside < recordWords - visitsAt) {
        cells[inside] = (visitVolume[i] << rowShift) + perHour + Math.floor(minute / binMinutes);
        phases[inside] = minute % binMinutes;
        phaseStart[phases[inside++] + 1]++;
      } else {
        edgeVolume[edge] = visitVolume[i];
        edgeMinute[edge++] = Math.min(Math.max(minute, earliest), dayMinutes) - earliest;
      }
    }
    edgeStart[f + 1] = edge;
    record[head] = edge > edgeStart[f] ? -inside - 1 : inside;
    for (let phase = 0; phase < binMinutes; phase++) phaseStart[phase + 1] += phaseStart[phase];
    // Sorted by counting: each visit goes to the next place of its phase, whose starts are put right again after that.
    for (let at = 0; at < inside; at++) record[head + visitsAt + phaseStart[phases[at]]++] = cells[at];
    phaseStart.copyWithin(1, 0, binMinutes);
    phaseStart[0] = 0;
  }
  const delays = { length: MAX_DELAY_MINUTES + 1 };
  return {
    perHour,
    rowShift,
    recordWords,
    record,
    visitsAt,
    edgeStart,
    edgeVolume,
    edgeMinute,
    placeOfMinute,
    delayShift: Int32Array.from(
      delays,
      (_, delay) => (Math.floor(delay / binMinutes) << 8) | (binMinutes - (delay % binMinutes)),
    ),
  };
}

/** The most visits that one flight makes to wanted volumes. */
function mostVisits({ flightIds, visitOffset, visitVolume }: Instance, wanted: Uint8Array): number {
  let most = 0;
  for (let f = 0; f < flightIds.length; f++) {
    let visits = 0;
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) visits += wanted[visitVolume[i]];
    if (visits > most) most = visits;
  }
  return most;
}
