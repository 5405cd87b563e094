import { UsageError } from "@coppice/engine/usage-error";
import type { BinWindow, Instance } from "./instance.ts";

/** The hours a day covers: its bins count from `start`, which need not be midnight. */
type DayHours = Pick<Instance, "start" | "binMinutes" | "binCount">;

const DAY_MINUTES = 1440;

/** Reads a window: bins `28-42` (the second one excluded) or UTC times on bin edges, `07:00-10:30`. */
export function readWindow(text: string, day: DayHours): BinWindow {
  const match = /^(\d+(?::\d\d)?)-(\d+(?::\d\d)?)$/.exec(text.trim());
  if (match === null) throw wrong(text, 'it must be bins like "28-42" or UTC times like "07:00-10:30"');
  const from = readEdge(match[1], text, day);
  // A time that ends a window at the day's first minute means its last.
  const to = readEdge(match[2], text, day) || (match[2].includes(":") ? day.binCount : 0);
  if (to > day.binCount) {
    throw wrong(text, `it ends after the day, which has ${day.binCount} bins of ${day.binMinutes} minutes`);
  }
  if (to < from) {
    const start = clockLabel(0, day);
    throw wrong(
      text,
      `it ends before it begins: the day runs from ${start} to ${start}, and a window past that must be given as two`,
    );
  }
  if (to === from) throw wrong(text, "it is empty; the second bin is not part of the window");
  return [from, to];
}

/** UTC time at which a bin starts, `HH:MM`. */
export function clockLabel(bin: number, day: Pick<DayHours, "start" | "binMinutes">): string {
  return hourMinute((startMinute(day) + bin * day.binMinutes) % DAY_MINUTES);
}

function readEdge(edge: string, text: string, day: DayHours): number {
  if (!edge.includes(":")) return Number(edge);
  const [hour, minute] = edge.split(":").map(Number);
  if (minute > 59 || hour * 60 + minute > DAY_MINUTES) throw wrong(text, `${edge} is not a time of day`);
  const sinceStart = (hour * 60 + minute - startMinute(day) + DAY_MINUTES) % DAY_MINUTES;
  const bin = sinceStart / day.binMinutes;
  if (!Number.isInteger(bin)) throw wrong(text, `${edge} is not on the edge of a bin of ${day.binMinutes} minutes`);
  return bin;
}

/** `HH:MM` of a minute of the day. */
function hourMinute(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

function startMinute(day: Pick<DayHours, "start">): number {
  const start = new Date(day.start);
  return start.getUTCHours() * 60 + start.getUTCMinutes();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

function wrong(text: string, why: string): UsageError {
  return new UsageError(`--window ${JSON.stringify(text)}: ${why}`);
}

/** A window that lies in the day; says of any other what is wrong with it. */
export function windowInDay(
  [fromBin, toBin]: BinWindow,
  where: string,
  { binCount }: Pick<DayHours, "binCount">,
): BinWindow {
  const window = `window ${fromBin}-${toBin}`;
  if (toBin === fromBin) throw new UsageError(`${where}: ${window} is empty; its second bin is not part of it`);
  if (toBin < fromBin)
    throw new UsageError(
      `${where}: ${window} ends before it begins; split a window that goes past the end of the day in two`,
    );
  if (fromBin < 0 || toBin > binCount)
    throw new UsageError(`${where}: ${window} leaves the day, which has bins 0 to ${binCount}`);
  return [fromBin, toBin];
}

/** `HH:MM` of the start of a bin, counted from midnight as published files do. */
export function binStartLabel(bin: number, clock: Pick<DayHours, "binMinutes">): string {
  return hourMinute(bin * clock.binMinutes);
}

/** `HH:MM-HH:MM` of a bin counted from midnight; the last one ends at 24:00. */
export function binLabel(bin: number, clock: Pick<DayHours, "binMinutes">): string {
  return `${hourMinute(bin * clock.binMinutes)}-${hourMinute((bin + 1) * clock.binMinutes)}`;
}
