import { formatValue } from "@coppice/engine/figures";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { type Palette, palette, shown } from "../theme.ts";
import { ChartFrame } from "./chart-frame.tsx";
import { KeyCursor } from "./key-cursor.tsx";
import { plotArea } from "./plot-area.ts";
import type { Mark, Scene } from "./scene.ts";

/** A line of a chart: values at places, in order of their places. */
export interface Series {
  readonly name: string;
  readonly colour: keyof Palette;
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface LineChartProps {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  /** What the values are in. */
  readonly unit: string;
  readonly series: readonly Series[];
}

const HEIGHT = 260;

/** Steps of one or more series, with the values under the pointer. */
export function LineChart({ title, xName, yName, unit, series }: LineChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const [readout, setReadout] = useState("");
  const scheme = shown.value;
  const data = aligned(series);

  // made again only when its looks change; the data is set below
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const colours = palette();
    const font = "12px system-ui, sans-serif";
    const axis = {
      font,
      labelFont: font,
      stroke: colours.muted,
      grid: { stroke: colours.line, width: 1 },
      ticks: { stroke: colours.line },
    };
    const made = new uPlot(
      {
        width: current.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: xName, labelSize: 20, incrs: stepsOf, space: roomOf },
          {
            ...axis,
            label: yName,
            labelSize: 20,
            size: 64,
            values: (_, values) => values.map((value) => formatValue(value)),
          },
        ],
        series: [
          { label: xName },
          ...series.map(({ name, colour }) => ({
            label: name,
            stroke: colours[colour],
            width: 2,
            spanGaps: true,
            points: { show: false },
            ...(uPlot.paths.stepped === undefined ? {} : { paths: uPlot.paths.stepped({ align: 1 }) }),
          })),
        ],
        hooks: { setCursor: [(self) => setReadout(valuesAt(self))] },
      },
      data,
      current,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: current.clientWidth, height: HEIGHT }));
    watch.observe(current);
    return () => {
      watch.disconnect();
      made.destroy();
    };
  }, [scheme, series.length, xName, yName]);

  useEffect(() => plot.current?.setData(data), [data]);

  return (
    <ChartFrame
      title={title}
      unit={`${yName}, ${unit}, by ${xName}`}
      legend={series.map(({ name, colour }) => ({ text: name, colour }))}
      readout={readout}
      table={() => ({ columns: [xName, ...series.map(({ name }) => name)], rows: rowsOf(data) })}
      scene={() => sceneOf(series, xName, yName)}
    >
      <KeyCursor
        label={title}
        marksItself
        spots={() => Array.from(data[0], (at) => [plot.current?.valToPos(at, "x") ?? 0, 0])}
        onSpot={(spot) => plot.current?.setCursor({ left: spot?.[0] ?? -1, top: 0 })}
      >
        <div ref={place} role="img" aria-label={`${title}: ${summaryOf(series)}`} />
      </KeyCursor>
    </ChartFrame>
  );
}

const powers = Array.from({ length: 30 }, (_, at) => 10 ** (at - 15));
const steps = powers.flatMap((power) => [power, 2 * power, 5 * power]);
const wholeSteps = steps.filter((step) => step >= 1);

/** From one number on the axis to the next: what is counted has no halves. */
function stepsOf({ data: [places] }: uPlot): number[] {
  return Array.from(places).every(Number.isInteger) ? wholeSteps : steps;
}

/** Pixels from one number of the x axis to the next: so many that each can be read, and few enough for two on a phone. */
function roomOf(_: uPlot, __: number, ___: number, most: number): number {
  return Math.max(40, 7 * formatValue(Math.round(most)).length + 12);
}

function summaryOf(series: readonly Series[]): string {
  return series
    .map(({ name, points }) => `${name} ends at ${formatValue(points.at(-1)?.[1] ?? Number.NaN)}`)
    .join("; ");
}

function valuesAt({ cursor: { idx }, data, series }: uPlot): string {
  if (idx === null || idx === undefined || data[0][idx] === undefined) return "";
  const values = series.slice(1).flatMap(({ label }, index) => {
    const value = data[index + 1][idx];
    return value === null || value === undefined ? [] : [`${label} ${formatValue(value)}`];
  });
  return `${formatValue(data[0][idx])}: ${values.join(", ")}`;
}

/** One column of places for all series, with gaps where a series has no value. */
function aligned(series: readonly Series[]): uPlot.AlignedData {
  const places = [...new Set(series.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const columns = series.map(({ points }) => {
    const values = new Map(points);
    return places.map((x) => values.get(x) ?? null);
  });
  return [places, ...columns];
}

function rowsOf([places, ...columns]: uPlot.AlignedData): (string | number)[][] {
  return Array.from(places, (x, row) => [x, ...columns.map((column) => column[row] ?? "")]);
}

const WIDTH = 900;

/** The same chart as a drawing of its own, for saving. */
function sceneOf(series: readonly Series[], xName: string, yName: string): Scene {
  const all = series.flatMap(({ points }) => points);
  const height = HEIGHT + 80;
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const { x, y, marks } = plotArea({ width: WIDTH, height, xs, ys, xName, yName });
  const lines = series.map(({ points, colour }): Mark => {
    const stepped = points.flatMap(([px, py], index) => {
      const before = points[index - 1];
      return before === undefined
        ? [[x(px), y(py)] as const]
        : [[x(px), y(before[1])] as const, [x(px), y(py)] as const];
    });
    return { kind: "line", points: stepped, stroke: colour, width: 2 };
  });
  return { width: WIDTH, height, marks: [...marks, ...lines] };
}
