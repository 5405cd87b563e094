import { formatCount, type Markup, markup, valueTicks } from "@coppice/engine";

const WIDTH = 960;
const HEIGHT = 300;
const LEFT = 64;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 42;

/** A rectangle to plot in: places of values, and its axes. */
export interface PlotFrame {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  axes(xTicks: readonly number[], xText: (value: number) => string, xLabel: string, yLabel: string): Markup;
}

/** Places for values of these ranges, with a little room above and below. */
export function plotFrame([left, right]: readonly [number, number], [low, high]: readonly [number, number]): PlotFrame {
  const margin = high > low ? (high - low) * 0.04 : 1;
  const [from, to] = [low - margin, high + margin];
  const x = (value: number) => round(LEFT + ((value - left) / Math.max(1e-9, right - left)) * (WIDTH - LEFT - RIGHT));
  const y = (value: number) => round(HEIGHT - BOTTOM - ((value - from) / (to - from)) * (HEIGHT - TOP - BOTTOM));
  const bottom = HEIGHT - BOTTOM;
  return {
    width: WIDTH,
    height: HEIGHT,
    top: TOP,
    bottom,
    x,
    y,
    axes: (xTicks, xText, xLabel, yLabel) =>
      markup`${valueTicks(from, to, 5).map(
        (value) =>
          markup`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text class="tick" x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${formatCount(value)}</text>`,
      )}${xTicks.map(
        (value) =>
          markup`<text class="tick" x="${x(value)}" y="${bottom + 18}" text-anchor="${x(value) > WIDTH - RIGHT - 20 ? "end" : "middle"}">${xText(value)}</text>`,
      )}<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${bottom}" y2="${bottom}"/><text class="label" x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${xLabel}</text><text class="label" x="${LEFT}" y="${HEIGHT - 6}">${yLabel}</text>`,
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
