import { type Markup, markup } from "./markup.ts";
import { logTicks, valueTicks } from "./ticks.ts";

/** A drawing's size and the room around its plot, in pixels. */
interface PlotSize {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A rectangle to plot in: places of values, and its axes. */
export interface PlotFrame {
  readonly size: PlotSize;
  /** Where the plot itself begins and ends. */
  readonly top: number;
  readonly bottom: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  axes(x: Axis & { readonly ticks: readonly number[] }, y: Axis): Markup;
}

/** What an axis is of, and how its values are written. */
interface Axis {
  readonly label: string;
  readonly text: (value: number) => string;
}

type Range = readonly [low: number, high: number];

const WIDE: PlotSize = { width: 960, height: 300, left: 64, right: 16, top: 12, bottom: 42 };

interface PlotOptions {
  readonly size?: Partial<PlotSize>;
  /** Draws values by their order of magnitude; they must be positive. */
  readonly log?: boolean;
  /** Room above and below the values, as a part of their range; 0.04 unless told. */
  readonly margin?: number;
}

/** Places for values of these ranges: `xs` from edge to edge, `ys` with a little room above and below. */
export function plotFrame(
  xs: Range,
  ys: Range,
  { size: own, log = false, margin = 0.04 }: PlotOptions = {},
): PlotFrame {
  const size = { ...WIDE, ...own };
  const { width, height, left, right } = size;
  const [from, to] = log ? [ys[0] / 1.2, ys[1] * 1.2] : withRoom(ys, margin);
  const magnitude = (value: number) => (log ? Math.log(value) : value);
  const bottom = height - size.bottom;
  const x = (value: number) => pixel(left + part(value, xs) * (width - left - right));
  const y = (value: number) =>
    pixel(bottom - part(magnitude(value), [magnitude(from), magnitude(to)]) * (bottom - size.top));
  return {
    size,
    top: size.top,
    bottom,
    x,
    y,
    axes: (across, up) =>
      markup`${(log ? logTicks(from, to) : valueTicks(from, to, 5)).map(
        (value) =>
          markup`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}"/><text class="tick" x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${up.text(value)}</text>`,
      )}${across.ticks.map(
        (value) =>
          markup`<text class="tick" x="${x(value)}" y="${bottom + 18}" text-anchor="${x(value) > width - right - 20 ? "end" : "middle"}">${across.text(value)}</text>`,
      )}<line class="axis" x1="${left}" x2="${width - right}" y1="${bottom}" y2="${bottom}"/><text class="label" x="${width - right}" y="${height - 6}" text-anchor="end">${across.label}</text><text class="label" x="${left}" y="${height - 6}">${up.label}</text>`,
  };
}

/** Values that are all the same still get a range to lie in the middle of, unless none was asked for. */
function withRoom([low, high]: Range, margin: number): Range {
  const room = margin === 0 ? 0 : high > low ? (high - low) * margin : Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

function part(value: number, [low, high]: Range): number {
  return high > low ? (value - low) / (high - low) : 0.5;
}

/** To a tenth of a pixel: what nobody sees need not be in the page. */
export function pixel(value: number): number {
  return Math.round(value * 10) / 10;
}
