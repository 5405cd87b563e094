import { useCallback, useState } from "preact/hooks";
import type { Palette } from "../theme.ts";
import { ChartFrame, type LegendKey } from "./chart-frame.tsx";
import { plotArea, type Tick } from "./plot-area.ts";
import type { ChartTable } from "./save.ts";
import type { Mark, Scene } from "./scene.ts";
import { SceneCanvas } from "./scene-canvas.tsx";

/** A value at a place. */
export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly colour: keyof Palette;
  /** Larger, with an edge. */
  readonly marked?: boolean;
  /** What is said when the pointer is near. */
  readonly says: string;
}

/** A line between two places. */
export interface Link {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly colour: keyof Palette;
  readonly width?: number;
}

interface DotChartProps {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  readonly unit: string;
  readonly legend: readonly LegendKey[];
  readonly dots: readonly Dot[];
  /** Drawn below the dots, in this order. */
  readonly links?: readonly Link[];
  readonly ticks?: readonly Tick[];
  readonly xText?: (value: number) => string;
  /** A dashed line from the lower left to the upper right of equal values. */
  readonly ideal?: boolean;
  readonly table: () => ChartTable;
}

const HEIGHT = 220;
/** How far from the pointer a dot may be, in pixels. */
const NEAR = 20;

/** Values as dots, each with its words under the pointer. */
export function DotChart(props: DotChartProps) {
  const { title, xName, yName, unit, legend, dots, links = [], ticks, xText, ideal, table } = props;
  const [readout, setReadout] = useState("");
  const areaOf = (width: number) => {
    const all = ideal === true ? dots.flatMap(({ x, y }) => [x, y]) : undefined;
    return plotArea({
      ...{ width, height: HEIGHT, xName, yName },
      ...{ xs: all ?? dots.map(({ x }) => x), ys: all ?? dots.map(({ y }) => y) },
      ...(ticks === undefined ? {} : { ticks }),
      ...(xText === undefined ? {} : { xText }),
    });
  };
  const scene = useCallback(
    (width: number): Scene => {
      const { x, y, marks } = areaOf(width);
      const all = dots.flatMap((dot) => [dot.x, dot.y]);
      const ends = [all.reduce((a, b) => Math.min(a, b), 0), all.reduce((a, b) => Math.max(a, b), 0)];
      const line: readonly Mark[] =
        ideal === true
          ? [{ kind: "line", points: ends.map((end) => [x(end), y(end)] as const), stroke: "muted", dash: 4 }]
          : [];
      const drawn = dots.map(
        (dot): Mark => ({
          kind: "shape",
          rings: [[[x(dot.x), y(dot.y)]]],
          fill: dot.colour,
          stroke: dot.marked === true ? "ink" : "raised",
          width: dot.marked === true ? 2 : 0.5,
          radius: dot.marked === true ? 5 : 3.5,
        }),
      );
      const joined = links.map(({ from, to, colour, width: wide = 1 }): Mark => {
        const points = [from, to].map(([px, py]) => [x(px), y(py)] as const);
        return { kind: "line", points, stroke: colour, width: wide };
      });
      return { width, height: HEIGHT, marks: [...marks, ...line, ...joined, ...drawn] };
    },
    [dots, links, ticks, ideal, xName, yName],
  );
  const near = (px: number, py: number, width: number): string => {
    const { x, y } = areaOf(width);
    let [found, least] = ["", NEAR];
    for (const dot of dots) {
      const away = Math.hypot(x(dot.x) - px, y(dot.y) - py);
      if (away < least) [found, least] = [dot.says, away];
    }
    return found;
  };
  return (
    <ChartFrame title={title} unit={unit} legend={legend} readout={readout} table={table} scene={() => scene(900)}>
      <SceneCanvas
        scene={scene}
        label={`${title}: ${dots.length} values of ${yName} by ${xName}; the numbers are in the table`}
        sayAt={near}
        onSay={setReadout}
        spots={(width) => {
          const { x, y } = areaOf(width);
          return dots.map((dot) => [x(dot.x), y(dot.y)]);
        }}
      />
    </ChartFrame>
  );
}
