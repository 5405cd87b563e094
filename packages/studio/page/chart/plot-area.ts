import { formatValue } from "@coppice/engine/figures";
import type { Mark } from "./scene.ts";

/** A place on an axis that has a word instead of a number. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

interface PlotAreaOptions {
  readonly width: number;
  readonly height: number;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** What stands below the drawing, and upright beside it. */
  readonly xName: string;
  readonly yName: string;
  readonly ticks?: readonly Tick[];
  /** An axis of logarithms says the numbers themselves. */
  readonly xText?: (value: number) => string;
}

/** Where values are in a drawing, and its grid with numbers. */
export interface PlotArea {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly marks: readonly Mark[];
}

const FRAME = { left: 84, right: 16, top: 12, bottom: 40 };

/** Axes that hold all values. */
export function plotArea({ width, height, xs, ys, xName, yName, ticks, xText }: PlotAreaOptions): PlotArea {
  const [minX, maxX] = roomy(rangeOf(ticks === undefined ? xs : [...ticks.map(({ at }) => at), ...xs]));
  const [minY, maxY] = roomy(rangeOf(ys));
  const { left, right, top, bottom } = FRAME;
  const x = (value: number) => left + ((value - minX) / (maxX - minX)) * (width - left - right);
  const y = (value: number) => height - bottom - ((value - minY) / (maxY - minY)) * (height - top - bottom);
  const across =
    ticks?.filter(apart((value) => x(value))) ??
    roundTicks(minX, maxX, Math.min(6, Math.max(2, Math.floor((width - left - right) / 80))), xText);
  const name = { kind: "text", fill: "muted", anchor: "middle" } as const;
  const tall = height - top - bottom;
  const marks: readonly Mark[] = [
    ...roundTicks(minY, maxY, 5).flatMap((tick): Mark[] => {
      const points = [[x(minX), y(tick.at)] as const, [x(maxX), y(tick.at)] as const];
      return [
        { kind: "line", points, stroke: "line" },
        { kind: "text", x: left - 8, y: y(tick.at) + 4, text: tick.text, fill: "muted", anchor: "end" },
      ];
    }),
    ...across.map((tick): Mark => {
      const place = { x: x(tick.at), y: height - bottom + 16, anchor: "middle" } as const;
      return { kind: "text", ...place, text: shortened(tick.text), fill: "muted" };
    }),
    { ...name, x: (left + width - right) / 2, y: height - 6, text: xName },
    { ...name, x: 14, y: (top + height - bottom) / 2, text: shortened(yName, tall / LETTER_WIDTH), upright: true },
  ];
  return { x, y, marks };
}

const MOST_LETTERS = 12;
/** About what a letter takes, and what is left free between two words. */
const LETTER_WIDTH = 7;
const WORD_GAP = 6;

/** Whether a word has room beside those before it; what has none is left out. */
function apart(x: (value: number) => number): (tick: Tick) => boolean {
  let taken = Number.NEGATIVE_INFINITY;
  return ({ at, text }) => {
    const half = (shortened(text).length * LETTER_WIDTH) / 2;
    if (x(at) - half < taken) return false;
    taken = x(at) + half + WORD_GAP;
    return true;
  };
}

function shortened(text: string, letters = MOST_LETTERS): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

const MOST_TRIED = 8;

/** Places of round numbers, about so many. */
export function roundTicks(
  least: number,
  most: number,
  count: number,
  text?: (value: number) => string,
): readonly Tick[] {
  const rough = (most - least) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((times) => times * power >= rough) ?? 10);
  const first = Math.ceil(least / step);
  const digits = Math.min(12, Math.max(0, -Math.floor(Math.log10(step))));
  const length = Math.floor(most / step) - first + 1;
  // One number says nothing of how far apart two places are.
  if (length < 2 && count < MOST_TRIED) return roundTicks(least, most, count + 1, text);
  return Array.from({ length }, (_, place) => {
    const at = Number(((first + place) * step).toFixed(digits));
    return { at, text: text?.(at) ?? formatValue(at) };
  });
}

/** So that nothing lies on the edge. */
function roomy([least, most]: readonly [number, number]): [least: number, most: number] {
  const room = 0.03 * (most - least);
  return [least - room, most + room];
}

/** The least and the most; some room around a single value. */
export function rangeOf(values: readonly number[]): [least: number, most: number] {
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
  return least < most ? [least, most] : [least - 1, most + 1];
}
