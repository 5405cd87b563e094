import { formatValue } from "@coppice/engine/figures";
import type { TunerView } from "@coppice/projections/view";
import { rangeOf } from "../chart/plot-area.ts";
import type { Mark, Scene } from "../chart/scene.ts";
import type { Spot } from "../chart/spots.ts";
import { axisOf } from "./axis.ts";

/** An axis of the drawing: a parameter or an objective. */
export interface Column {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** How far its bounds are moved at a time. */
  readonly step: number;
  /** By configuration; undefined where it has none. */
  readonly places: readonly (number | undefined)[];
  readonly text: (place: number) => string;
}

/** The chosen part of an axis. */
export interface Brush {
  readonly low: number;
  readonly high: number;
}

const HEIGHT = 320;
const [TOP, BOTTOM, SIDE] = [34, 24, 56];

/** Parameters first, then objectives. */
export function columnsOf({ parameters, objectives, trials }: TunerView): readonly Column[] {
  const column = (
    name: string,
    places: readonly (number | undefined)[],
    text: Column["text"],
    step?: number,
  ): Column => {
    const [low, high] = rangeOf(places.filter((place) => place !== undefined));
    return { name, low, high, step: step ?? (high - low) / 100, places, text };
  };
  const usual = (value: number) => formatValue(Number(value.toPrecision(4)));
  return [
    ...parameters.map((parameter, index) => {
      const { place, text, step } = axisOf(parameter);
      return column(
        parameter.name,
        trials.map(({ values }) => place(values[index])),
        text,
        step,
      );
    }),
    ...objectives.map(({ name }, index) => {
      const places = trials.map(({ scores }) => scores[index] ?? undefined);
      return column(name, places, usual);
    }),
  ];
}

/** Whether a configuration lies in every chosen part. */
export function isWithin(columns: readonly Column[], brushes: ReadonlyMap<number, Brush>, row: number): boolean {
  return [...brushes].every(([column, { low, high }]) => {
    const place = columns[column].places[row];
    return place !== undefined && place >= low && place <= high;
  });
}

interface ParallelLook {
  readonly width: number;
  /** The axis that says how good a configuration is. */
  readonly judged: number;
  readonly better: "lower" | "higher";
}

/** Room that an axis's name and ends need. */
const LABEL = 64;

/** Lines over axes; what is not chosen lies below in grey. */
export function parallelScene(
  columns: readonly Column[],
  within: readonly boolean[],
  brushes: ReadonlyMap<number, Brush>,
  { width, judged, better }: ParallelLook,
): Scene {
  const marks: Mark[] = [];
  const scores = columns[judged].places.filter((place) => place !== undefined).sort((a, b) => a - b);
  const middle = scores[Math.floor(scores.length / 2)] ?? 0;
  const line = (row: number, stroke: "line" | "accent" | "muted"): Mark => ({
    kind: "line",
    points: columns.flatMap(({ places, ...column }, index) => {
      const place = places[row];
      return place === undefined ? [] : [[xOf(columns.length, width, index), yOf(column, place)] as const];
    }),
    stroke,
  });
  const isBetter = (row: number) => {
    const place = columns[judged].places[row];
    return place !== undefined && (better === "lower" ? place <= middle : place >= middle);
  };
  const rows = [...within.keys()];
  // What is better lies on top.
  marks.push(...rows.filter((row) => !within[row]).map((row) => line(row, "line")));
  marks.push(...rows.filter((row) => within[row] && !isBetter(row)).map((row) => line(row, "muted")));
  marks.push(...rows.filter((row) => within[row] && isBetter(row)).map((row) => line(row, "accent")));
  const gap = columns.length === 1 ? width : (width - 2 * SIDE) / (columns.length - 1);
  // Where axes are close together, one of several has its words; the list below the drawing has all of them.
  const every = Math.ceil(LABEL / gap);
  for (const [index, column] of columns.entries()) {
    const x = xOf(columns.length, width, index);
    const isAtEdge = index === 0 || index === columns.length - 1;
    const letters = Math.max(4, Math.floor(Math.min(every * gap, isAtEdge ? 2 * SIDE : every * gap) / 8));
    const short = (text: string) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
    const ends = [[x, TOP] as const, [x, HEIGHT - BOTTOM] as const];
    marks.push({ kind: "line", points: ends, stroke: "muted" });
    const isNamed = index % every === 0;
    if (isNamed) marks.push({ kind: "text", x, y: 12, text: short(column.name), fill: "ink", anchor: "middle" });
    for (const [y, place] of isNamed
      ? [
          [TOP - 6, column.high],
          [HEIGHT - 8, column.low],
        ]
      : []) {
      marks.push({
        kind: "text",
        x,
        y,
        text: short(column.text(place)),
        fill: "muted",
        anchor: "middle",
        edged: true,
      });
    }
    const brush = brushes.get(index);
    if (brush === undefined) continue;
    const [from, to] = [yOf(column, brush.high), yOf(column, brush.low)];
    marks.push({
      kind: "rect",
      x: x - 7,
      y: from,
      width: 14,
      height: Math.max(3, to - from),
      fill: "warn",
      opacity: 0.45,
    });
  }
  return { width, height: HEIGHT, marks };
}

function xOf(count: number, width: number, index: number): number {
  return count === 1 ? width / 2 : SIDE + (index * (width - 2 * SIDE)) / (count - 1);
}

function yOf({ low, high }: Pick<Column, "low" | "high">, place: number): number {
  return HEIGHT - BOTTOM - ((place - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
}

/** Where arrow keys go: from axis to axis, and along each through the values that configurations have there. */
export function spotsOf(columns: readonly Column[], width: number): readonly Spot[] {
  return columns.flatMap((column, index) =>
    column.places.flatMap((place) =>
      place === undefined ? [] : [[xOf(columns.length, width, index), yOf(column, place)] as const],
    ),
  );
}

/** What a height of an axis stands for. */
export function placeAt({ low, high }: Column, y: number): number {
  const part = (HEIGHT - BOTTOM - y) / (HEIGHT - TOP - BOTTOM);
  return low + Math.min(1, Math.max(0, part)) * (high - low);
}

/** The axis under a point. */
export function columnAt(columns: readonly Column[], width: number, x: number): number | undefined {
  const gap = columns.length === 1 ? width : (width - 2 * SIDE) / (columns.length - 1);
  const nearest = columns.length === 1 ? 0 : Math.round((x - SIDE) / gap);
  if (nearest < 0 || nearest >= columns.length) return undefined;
  return Math.abs(x - xOf(columns.length, width, nearest)) <= Math.max(10, gap / 3) ? nearest : undefined;
}
