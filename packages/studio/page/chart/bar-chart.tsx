import { formatValue } from "@coppice/engine/figures";
import { useCallback, useState } from "preact/hooks";
import type { Palette } from "../theme.ts";
import { ChartFrame } from "./chart-frame.tsx";
import type { Scene } from "./scene.ts";
import { SceneCanvas } from "./scene-canvas.tsx";

/** A bar, and what is said of it. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly says?: string;
}

interface BarChartProps {
  readonly title: string;
  readonly unit: string;
  /** What a bar is of, and what its length is. */
  readonly columns: readonly [of: string, value: string];
  readonly colour?: keyof Palette;
  readonly bars: readonly Bar[];
  readonly text?: (value: number) => string;
}

const ROW = 22;
const BAR = 14;

/** Lengths beside their names, in the order they are given. */
export function BarChart({ title, unit, columns, colour = "accent", bars, text = formatValue }: BarChartProps) {
  const [readout, setReadout] = useState("");
  const scene = useCallback(
    (width: number): Scene => {
      const longest = bars.reduce((a, { name }) => Math.max(a, name.length), 0);
      // Capitals are wider.
      const letter = bars.some(({ name }) => /[A-Z]{3}/.test(name)) ? 9 : 7.5;
      const left = Math.min(16 + letter * longest, 0.5 * width);
      const most = bars.reduce((a, { value }) => Math.max(a, value), 0);
      const scale = most > 0 ? (width - left - 80) / most : 0;
      const letters = Math.floor((left - 8) / letter);
      return {
        width,
        height: bars.length * ROW + 8,
        marks: bars.flatMap(({ name, value }, row) => {
          const y = row * ROW + 4;
          const shown = name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
          return [
            { kind: "text", x: left - 8, y: y + 12, text: shown, fill: "ink", anchor: "end" },
            { kind: "rect", x: left, y, width: Math.max(1, value * scale), height: BAR, fill: colour },
            { kind: "text", x: left + value * scale + 6, y: y + 12, text: text(value), fill: "muted" },
          ];
        }),
      };
    },
    [bars, colour],
  );
  const sayAt = (y: number): string => {
    const bar = bars[Math.floor((y - 4) / ROW)];
    return bar === undefined ? "" : (bar.says ?? `${bar.name}: ${text(bar.value)}`);
  };
  return (
    <ChartFrame
      title={title}
      unit={unit}
      legend={[{ colour, text: columns[1] }]}
      readout={readout}
      table={() => ({ columns, rows: bars.map(({ name, value }) => [name, value]) })}
      scene={() => scene(900)}
    >
      <SceneCanvas
        scene={scene}
        scrolls
        label={`${title}: ${bars.length} bars; the numbers are in the table`}
        sayAt={(_, y) => sayAt(y)}
        onSay={setReadout}
        spots={() => bars.map((_, row) => [0, row * ROW + 4 + BAR / 2])}
      />
    </ChartFrame>
  );
}
