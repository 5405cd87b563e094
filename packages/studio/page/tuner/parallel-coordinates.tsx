import { formatCount, formatValue } from "@coppice/engine/figures";
import type { TunerView } from "@coppice/projections/view";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { ChartFrame } from "../chart/chart-frame.tsx";
import { SceneCanvas } from "../chart/scene-canvas.tsx";
import {
  type Brush,
  type Column,
  columnAt,
  columnsOf,
  isWithin,
  parallelScene,
  placeAt,
  spotsOf,
} from "./parallel-scene.ts";

interface ParallelProps {
  readonly tuner: TunerView;
  readonly chosen: number;
}

/** All configurations as lines over all parameters and objectives; a part of an axis can be chosen. */
export function ParallelCoordinates({ tuner, chosen }: ParallelProps) {
  const { trials, parameters, objectives } = tuner;
  const columns = useMemo(() => columnsOf(tuner), [tuner]);
  const [brushes, setBrushes] = useState<ReadonlyMap<number, Brush>>(new Map());
  const [axis, setAxis] = useState(0);
  const [readout, setReadout] = useState("");
  const from = useRef<{ readonly column: number; readonly at: number } | undefined>(undefined);
  const within = useMemo(() => trials.map((_, row) => isWithin(columns, brushes, row)), [trials, columns, brushes]);
  const judged = parameters.length + chosen;
  const { better } = objectives[chosen];
  const scene = useCallback(
    (width: number) => parallelScene(columns, within, brushes, { width, judged, better }),
    [columns, within, brushes, judged, better],
  );
  const brush = (column: number, chosenPart: Brush | undefined): void => {
    const changed = new Map(brushes);
    if (chosenPart === undefined) changed.delete(column);
    else changed.set(column, chosenPart);
    setBrushes(changed);
  };
  const count = within.filter((each) => each).length;
  const part = brushes.get(axis) ?? { low: columns[axis].low, high: columns[axis].high };
  return (
    <ChartFrame
      title="All configurations"
      unit={`a line is a configuration, better and other half by ${objectives[chosen].name}; drag along an axis to choose a part of it`}
      legend={[
        { colour: "accent", text: "better half" },
        { colour: "muted", text: "other half" },
        { colour: "line", text: "not chosen" },
      ]}
      readout={readout}
      table={() => ({
        columns: ["configuration", ...columns.map(({ name }) => name), "failure"],
        rows: trials.flatMap(({ trial, values, scores, failure }, row) => {
          return within[row]
            ? [[trial + 1, ...[...values, ...scores].map((each) => each?.toString() ?? ""), failure ?? ""]]
            : [];
        }),
      })}
      scene={() => scene(Math.max(900, columns.length * 110))}
    >
      {/* The fields below do the same from the keyboard. */}
      <div
        class="brushed"
        onPointerDown={({ offsetX, offsetY, currentTarget }) => {
          const column = columnAt(columns, currentTarget.clientWidth, offsetX);
          if (column !== undefined) from.current = { column, at: placeAt(columns[column], offsetY) };
        }}
        onPointerUp={({ offsetY }) => {
          const begun = from.current;
          from.current = undefined;
          if (begun === undefined) return;
          const at = placeAt(columns[begun.column], offsetY);
          setAxis(begun.column);
          brush(
            begun.column,
            at === begun.at ? undefined : { low: Math.min(at, begun.at), high: Math.max(at, begun.at) },
          );
        }}
        onPointerLeave={() => {
          from.current = undefined;
        }}
      >
        <SceneCanvas
          scene={scene}
          label={`${trials.length} configurations over ${columns.length} axes; the numbers are in the table`}
          sayAt={(x, y, width) => {
            const column = columnAt(columns, width, x);
            if (column === undefined) return "";
            return `${columns[column].name}: ${columns[column].text(placeAt(columns[column], y))}`;
          }}
          onSay={setReadout}
          spots={(width) => spotsOf(columns, width)}
        />
      </div>
      <div class="row">
        <label>
          Axis{" "}
          <select value={String(axis)} onChange={({ currentTarget }) => setAxis(Number(currentTarget.value))}>
            {columns.map(({ name }, index) => (
              <option key={name} value={String(index)}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Bound name="from" column={columns[axis]} value={part.low} onChange={(low) => brush(axis, { ...part, low })} />
        <Bound name="to" column={columns[axis]} value={part.high} onChange={(high) => brush(axis, { ...part, high })} />
        <button type="button" disabled={brushes.size === 0} onClick={() => setBrushes(new Map())}>
          All
        </button>
        <span role="status" class="small muted">
          {formatCount(count)} of {formatCount(trials.length)} configurations
          {bestWithin(tuner, chosen, within)}
        </span>
      </div>
    </ChartFrame>
  );
}

function bestWithin({ trials, objectives }: TunerView, chosen: number, within: readonly boolean[]): string {
  const scores = trials.flatMap(({ scores }, row) => (within[row] && scores[chosen] !== null ? [scores[chosen]] : []));
  if (scores.length === 0) return "";
  const best = scores.reduce(
    objectives[chosen].better === "lower" ? (a, b) => Math.min(a, b) : (a, b) => Math.max(a, b),
  );
  return `, best ${formatValue(best)}`;
}

interface BoundProps {
  readonly name: string;
  readonly column: Column;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Bound({ name, column, value, onChange }: BoundProps) {
  return (
    <label class="choice">
      {name}
      <input
        type="range"
        min={column.low}
        max={column.high}
        step={column.step}
        value={value}
        aria-label={`${column.name}, ${name}`}
        aria-valuetext={column.text(value)}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
      <output class="small">{column.text(value)}</output>
    </label>
  );
}
