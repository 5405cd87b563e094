import { clockLabel } from "@coppice/airspace/what-if";
import type { Signal } from "@preact/signals";
import { useCallback, useMemo, useState } from "preact/hooks";
import { ChartFrame, type LegendKey } from "../chart/chart-frame.tsx";
import { roundTicks } from "../chart/plot-area.ts";
import type { Mark, Scene } from "../chart/scene.ts";
import { SceneCanvas } from "../chart/scene-canvas.tsx";
import type { Palette } from "../theme.ts";
import { hoursByFlow, type WhatIf } from "./what-if.ts";

/** Of the flows of a volume, in their order; further ones, as everybody else, are grey. */
const colours: readonly (keyof Palette)[] = ["accent", "good", "warn", "second", "third"];
const HEIGHT = 300;
const FRAME = { left: 40, right: 8, top: 8, bottom: 24 };

interface DemandProps {
  readonly what: WhatIf;
  readonly bin: Signal<number>;
  readonly volume: Signal<number>;
}

/** Demand against capacity of one volume over the day, stacked by flow. */
export function Demand({ what, bin, volume }: DemandProps) {
  const { day, view, before, tried } = what;
  const [readout, setReadout] = useState("");
  const chosen = volume.value;
  const shown = tried.value;
  const flows = useMemo(() => hoursByFlow(day, shown, chosen), [day, shown, chosen]);
  const names = view.flowNames[chosen];
  const [first, end] = [chosen * day.binCount, (chosen + 1) * day.binCount];
  const [was, limit] = [before.hourCount.subarray(first, end), day.capacity.subarray(first, end)];
  const at = bin.value;
  const scene = useCallback(
    (width: number) => demandScene(flows, was, limit, at, width, (each) => clockLabel(each, day)),
    [flows, chosen, at, day],
  );
  const binAt = (x: number, width: number) =>
    Math.floor(((x - FRAME.left) / (width - FRAME.left - FRAME.right)) * day.binCount);
  const total = (each: number) => flows.reduce((sum, counts) => sum + counts[each], 0);
  const legend: readonly LegendKey[] = [
    ...names.map((text, flow) => ({ text, colour: colourOf(flow) })),
    { text: "capacity", colour: "ink" },
    ...(view.plan.length === 0 ? [] : [{ text: "dashed: without the plan", colour: "muted" } as const]),
  ];
  return (
    <ChartFrame
      title="Demand and capacity"
      unit="entries per rolling hour, by the time it starts, UTC; the upright line is the time on the map"
      legend={legend}
      readout={readout}
      table={() => ({
        columns: ["from, UTC", ...names, "in all", "without the plan", "capacity"],
        rows: Array.from({ length: day.binCount }, (_, each) => [
          clockLabel(each, day),
          ...flows.map((counts) => counts[each]),
          total(each),
          was[each],
          Number.isFinite(limit[each]) ? limit[each] : "",
        ]),
      })}
      scene={() => scene(900)}
    >
      <label class="row">
        <span class="muted small">Volume</span>
        <select
          aria-label="Volume"
          value={chosen}
          onChange={({ currentTarget }) => {
            volume.value = Number(currentTarget.value);
          }}
        >
          {volumesInOrder(what).map((each) => (
            <option key={each} value={each}>
              {view.volumeNames[each]}
            </option>
          ))}
        </select>
      </label>
      <SceneCanvas
        scene={scene}
        label={`Entries into ${view.volumeNames[chosen]} over the day; the numbers are in the table`}
        sayAt={(x, _, width) => {
          const each = binAt(x, width);
          if (each < 0 || each >= day.binCount) return "";
          return `${clockLabel(each, day)}: ${total(each)}, capacity ${limit[each]}, without ${was[each]}`;
        }}
        onSay={setReadout}
        spots={(width) => Array.from(was, (_, each) => [placeOf(each + 0.5, was.length, width), HEIGHT / 2])}
        onPress={(x, _, width) => {
          bin.value = Math.min(day.binCount - 1, Math.max(0, binAt(x, width)));
        }}
      />
    </ChartFrame>
  );
}

function colourOf(flow: number): keyof Palette {
  return colours[flow] ?? "rest";
}

/** 30 km before 110 km. */
const byName = new Intl.Collator("en", { numeric: true });

/** Volumes with what is furthest above capacity first, then by name. */
function volumesInOrder({ day, view, before }: WhatIf): number[] {
  const excess = excessOf(day, before.hourCount);
  return [...day.volumeIds.keys()].sort(
    (a, b) => excess[b] - excess[a] || byName.compare(view.volumeNames[a], view.volumeNames[b]),
  );
}

/** Flights above capacity over the whole day, volume by volume. */
export function excessOf({ volumeIds, binCount, capacity }: WhatIf["day"], hourCount: Int32Array): number[] {
  return volumeIds.map((_, volume) => {
    let sum = 0;
    for (let cell = volume * binCount; cell < (volume + 1) * binCount; cell++) {
      sum += Math.max(0, hourCount[cell] - capacity[cell]);
    }
    return sum;
  });
}

/** Where a bin begins. */
const placeOf = (bin: number, bins: number, width: number) =>
  FRAME.left + (bin / bins) * (width - FRAME.left - FRAME.right);

function demandScene(
  flows: readonly Int32Array[],
  was: Int32Array,
  limit: Float64Array,
  at: number,
  width: number,
  clock: (bin: number) => string,
): Scene {
  const bins = was.length;
  const totals = Array.from(was, (_, bin) => flows.reduce((sum, counts) => sum + counts[bin], 0));
  const busiest = Math.max(1, ...totals, ...was);
  const top = Math.max(busiest, ...Array.from(limit).filter((value) => value <= 2 * busiest));
  const x = (bin: number) => placeOf(bin, bins, width);
  const y = (count: number) => HEIGHT - FRAME.bottom - (count / top) * (HEIGHT - FRAME.top - FRAME.bottom);
  const step = x(1) - x(0);
  const stepped = (values: ArrayLike<number>) =>
    Array.from(values).flatMap((value, bin) => [[x(bin), y(value)] as const, [x(bin + 1), y(value)] as const]);
  const marks: Mark[] = roundTicks(0, top, 4).flatMap(({ at: value, text }): Mark[] => {
    if (!Number.isInteger(value)) return [];
    const points = [[x(0), y(value)] as const, [x(bins), y(value)] as const];
    return [
      { kind: "line", points, stroke: "line" },
      { kind: "text", x: FRAME.left - 6, y: y(value) + 4, text, fill: "muted", anchor: "end" },
    ];
  });
  for (const part of [0, 0.25, 0.5, 0.75]) {
    const bin = Math.round(part * bins);
    marks.push({
      kind: "text",
      x: x(bin),
      y: HEIGHT - 6,
      text: clock(bin),
      fill: "muted",
      anchor: bin === 0 ? "start" : "middle",
    });
    const tick = [[x(bin), y(0)] as const, [x(bin), y(0) + 4] as const];
    marks.push({ kind: "line", points: tick, stroke: "muted" });
  }
  for (let bin = 0; bin < bins; bin++) {
    let below = 0;
    flows.forEach((counts, flow) => {
      const above = below + counts[bin];
      if (counts[bin] > 0) {
        const fill = colourOf(flow);
        marks.push({ kind: "rect", x: x(bin), y: y(above), width: step - 0.4, height: y(below) - y(above), fill });
      }
      below = above;
    });
  }
  if (totals.some((total, bin) => total !== was[bin])) {
    marks.push({ kind: "line", points: stepped(was), stroke: "muted", width: 1, dash: 3 });
  }
  const limited = stepped(limit).filter(([, height]) => Number.isFinite(height) && height >= 0);
  if (limited.length > 0) marks.push({ kind: "line", points: limited, stroke: "ink", width: 2 });
  marks.push({
    kind: "line",
    points: [
      [x(at), y(0)],
      [x(at), FRAME.top],
    ],
    stroke: "ink",
    dash: 2,
  });
  return { width, height: HEIGHT, marks };
}
