import type { FlowView } from "@coppice/airspace/view";
import { useCallback, useState } from "preact/hooks";
import { ChartFrame, type LegendKey } from "../chart/chart-frame.tsx";
import { SceneCanvas } from "../chart/scene-canvas.tsx";
import { excessOf } from "./demand.tsx";
import { MAP_COLUMN, mapScene, middles, type VolumeLook, volumeAt } from "./map-scene.ts";
import { whatIfOf } from "./what-if.ts";

const legend: readonly LegendKey[] = [
  { colour: "load3", text: "less with the second plan" },
  { colour: "load2", text: "a little less" },
  { colour: "load1", text: "the same" },
  { colour: "load4", text: "a little more" },
  { colour: "load5", text: "more" },
];

/** From this share of the largest difference on, one is more than a little. */
const MUCH = 0.25;

/** Two plans for the same day: where the second one leaves more, and where less, above capacity. */
export function FlowDifference({ views }: { readonly views: readonly [object, object] }) {
  const [readout, setReadout] = useState("");
  // Cast: what the reader of this tool returns.
  const [a, b] = (views as readonly [FlowView, FlowView]).map(whatIfOf);
  const isSameDay = a.day.name === b.day.name && a.day.volumeIds.join() === b.day.volumeIds.join();
  const [left, right] = [excessOf(a.day, a.found.hourCount), excessOf(b.day, b.found.hourCount)];
  const differences = isSameDay ? left.map((excess, volume) => right[volume] - excess) : [];
  const most = Math.max(1, ...differences.map(Math.abs));
  const look = (volume: number): VolumeLook => {
    const difference = differences[volume];
    if (difference === 0) return { fill: "load1" };
    const much = Math.abs(difference) >= MUCH * most;
    const fill = difference < 0 ? (much ? "load3" : "load2") : much ? "load5" : "load4";
    return { fill, label: `${difference > 0 ? "+" : ""}${difference}`, weight: Math.abs(difference) };
  };
  const scene = useCallback((width: number) => mapScene(a.view.map, width, look), [a, b]);
  if (!isSameDay) return <p class="muted">The two plans are for different days, so there is no map of both.</p>;
  const named = a.view.volumeNames;
  return (
    <ChartFrame
      title="Difference of the plans"
      unit="flights above capacity over the day, second plan minus first"
      legend={legend}
      readout={readout}
      table={() => ({
        columns: ["volume", "name", "first plan", "second plan", "difference"],
        rows: a.day.volumeIds
          .map((id, volume) => [id, named[volume], left[volume], right[volume], differences[volume]] as const)
          .filter(([, , first, second]) => first !== 0 || second !== 0),
      })}
      scene={() => scene(1000)}
    >
      <SceneCanvas
        scene={scene}
        label="Map of the differences; the numbers are in the table"
        sayAt={(x, y, width) => {
          const volume = volumeAt(a.view.map, width, x, y);
          return volume === undefined ? "" : `${named[volume]}: ${left[volume]} and ${right[volume]}`;
        }}
        onSay={setReadout}
        spots={(width) => middles(a.view.map, width)}
        columnWidth={MAP_COLUMN}
      />
    </ChartFrame>
  );
}
