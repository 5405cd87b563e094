import { latLngToCell } from "h3-js";
import { along, distanceNm, type Place } from "./great-circle.ts";

/** The cells a flight enters, in order, and the minute after take-off at which it does. */
export interface FlownCells {
  readonly minutes: number;
  readonly cells: readonly string[];
  readonly entryMinute: readonly number[];
}

/** Minutes from take-off to landing at a steady speed, plus a fixed part for climb and approach. */
export function flightMinutes(from: Place, to: Place, track: { fixedMinutes: number; knots: number }): number {
  return Math.round(track.fixedMinutes + (distanceNm(from, to) / track.knots) * 60);
}

/** Follows the great circle minute by minute; a visit starts in the first minute seen in a new cell. */
export function flownCells(from: Place, to: Place, minutes: number, resolution: number): FlownCells {
  const cells: string[] = [];
  const entryMinute: number[] = [];
  for (let minute = 0; minute <= minutes; minute++) {
    const place = along(from, to, minutes === 0 ? 0 : minute / minutes);
    const cell = latLngToCell(place.latitude, place.longitude, resolution);
    if (cell === cells.at(-1)) continue;
    cells.push(cell);
    entryMinute.push(minute);
  }
  return { minutes, cells, entryMinute };
}
