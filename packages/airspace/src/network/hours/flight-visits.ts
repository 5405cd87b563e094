import { UsageError } from "@coppice/engine/usage-error";
import type { Instance } from "../../instance/instance.ts";
import { MAX_DELAY_MINUTES } from "../regulation.ts";

/**
 * The visits of every flight to some volumes, laid out for moving them together when the flight's delay changes.
 *
 * Each volume has a row of cells, one per bin, with an hour of cells before the day and two or more after it that take
 * what is not in the day. A visit is one word: its cell, times 64, plus its minute within the bin counted so that a minute of
 * the next bin carries over into the cell. So a delay is added to it. Visits that a delay can move across an end of the day
 * are kept apart, at the edge.
 */
export interface FlightVisits {
  /** Bins of an hour. */
  readonly perHour: number;
  /** A volume's row has `2 ** rowShift` cells; bin b is cell `perHour + b` of it. */
  readonly rowShift: number;

  /**
   * Visits that stay inside the day whatever their delay: words [start[f] >> 1, start[f + 1] >> 1) of `visit` are of flight f,
   * which has others, too, if start[f] is odd.
   */
  readonly start: Int32Array;
  readonly visit: Int32Array;

  /** The other visits, at the edge, of flight f are [edgeStart[f], edgeStart[f + 1]). */
  readonly edgeStart: Int32Array;
  readonly edgeVolume: Int32Array;
  /** Whole minute of the visit, as an index into `placeOfMinute`. */
  readonly edgeMinute: Int32Array;
  /** Cell within its row for each minute. */
  readonly placeOfMinute: Int32Array;

  /** What each delay adds to a visit: 64 for every whole bin, and the minutes that are left. */
  readonly delayShift: Int32Array;
}

/** Lays out an instance's visits to the volumes that are wanted. */
export function flightVisitsOf(instance: Instance, isWanted: (volume: number) => boolean): FlightVisits {
  const { binMinutes, binCount, visitOffset, visitVolume } = instance;
  const flightCount = instance.flightIds.length;
  const perHour = 60 / binMinutes;
  const rowShift = Math.max(5, Math.ceil(Math.log2(binCount + 3 * perHour)));
  const most = 2 ** (31 - 6 - rowShift);
  if (instance.volumeIds.length > most) {
    throw new UsageError(
      `the day has ${instance.volumeIds.length} volumes: in bins of ${binMinutes} minutes, at most ${most} can be scored together`,
    );
  }
  const dayMinutes = binCount * binMinutes;
  // One minute before what the longest delay brings into the day, and the first minute after it, stand for all others.
  const earliest = -MAX_DELAY_MINUTES - 1;
  const placeOfMinute = Int32Array.from({ length: dayMinutes - earliest + MAX_DELAY_MINUTES + 1 }, (_, index) => {
    const minute = index + earliest;
    if (minute < 0) return perHour - 1;
    return perHour + (minute < dayMinutes ? Math.floor(minute / binMinutes) : binCount + perHour - 1);
  });

  const wanted = Uint8Array.from(instance.volumeIds, (_, volume) => (isWanted(volume) ? 1 : 0));
  const start = new Int32Array(flightCount + 1);
  const visit = new Int32Array(visitVolume.length);
  const edgeStart = new Int32Array(flightCount + 1);
  const edgeVolume = new Int32Array(visitVolume.length);
  const edgeMinute = new Int32Array(visitVolume.length);
  let inside = 0;
  let edge = 0;
  for (let f = 0; f < flightCount; f++) {
    const first = inside;
    edgeStart[f] = edge;
    for (let i = visitOffset[f]; i < visitOffset[f + 1]; i++) {
      if (wanted[visitVolume[i]] === 0) continue;
      const minute = Math.floor((instance.takeoffSecond[f] + instance.entrySecond[i]) / 60);
      if (minute >= 0 && minute + MAX_DELAY_MINUTES < dayMinutes) {
        const cell = (visitVolume[i] << rowShift) + perHour + Math.floor(minute / binMinutes);
        visit[inside++] = (cell << 6) + 64 - binMinutes + (minute % binMinutes);
      } else {
        edgeVolume[edge] = visitVolume[i];
        edgeMinute[edge++] = Math.min(Math.max(minute, earliest), dayMinutes) - earliest;
      }
    }
    start[f] = (first << 1) | (edge > edgeStart[f] ? 1 : 0);
  }
  start[flightCount] = inside << 1;
  edgeStart[flightCount] = edge;
  return {
    perHour,
    rowShift,
    start,
    visit: visit.subarray(0, inside),
    edgeStart,
    edgeVolume: edgeVolume.subarray(0, edge),
    edgeMinute: edgeMinute.subarray(0, edge),
    placeOfMinute,
    delayShift: Int32Array.from(
      { length: MAX_DELAY_MINUTES + 1 },
      (_, delay) => (Math.floor(delay / binMinutes) << 6) + (delay % binMinutes),
    ),
  };
}
