import type { LineView } from "@coppice/airspace/view";
import { clockLabel } from "@coppice/airspace/what-if";
import { formatCount, formatPercent, formatValue } from "@coppice/engine/figures";
import { type Signal, useSignal } from "@preact/signals";
import { useCallback, useEffect, useState } from "preact/hooks";
import { ChartFrame, type LegendKey } from "../chart/chart-frame.tsx";
import { SceneCanvas } from "../chart/scene-canvas.tsx";
import { MAP_COLUMN, mapScene, middles, volumeAt } from "./map-scene.ts";
import type { Tried, WhatIf } from "./what-if.ts";

/** Load over capacity, from below each limit on. */
const steps = [
  { below: 0.5, colour: "load1", text: "below 50 %" },
  { below: 0.8, colour: "load2", text: "50 to 80 %" },
  { below: 1.000_001, colour: "load3", text: "up to capacity" },
  { below: 1.2, colour: "load4", text: "above it" },
  { below: Number.POSITIVE_INFINITY, colour: "load5", text: "above 120 %" },
] as const;
const legend: readonly LegendKey[] = [...steps, { colour: "line", text: "no limit" } as const];

const PLAY_MS = 180;

interface LoadMapProps {
  readonly what: WhatIf;
  readonly bin: Signal<number>;
  readonly volume: Signal<number>;
}

/** The day on a map: which volumes are how full at a time, without measures and with the plan. */
export function LoadMap({ what, bin, volume }: LoadMapProps) {
  const { view, day, before } = what;
  const withPlan = useSignal(true);
  const playing = useSignal(false);
  const [readout, setReadout] = useState("");
  const shown = withPlan.value ? what.tried.value : before;
  const at = bin.value;
  useEffect(() => {
    if (!playing.value) return undefined;
    const timer = setInterval(() => {
      bin.value = (bin.value + 1) % day.binCount;
    }, PLAY_MS);
    return () => clearInterval(timer);
  }, [playing.value, bin, day]);
  const selected = volume.value;
  const scene = useCallback(
    (width: number) =>
      mapScene(view.map, width, (each) => {
        const { count, limit } = loadOf(what, shown, at, each);
        const load = count === 0 ? 0 : count / limit;
        const fill =
          limit === Number.POSITIVE_INFINITY ? "line" : (steps.find(({ below }) => load < below)?.colour ?? "load5");
        const numbers = linesAt(shown, at, each);
        const label = numbers.map((line) => line + 1).join(", ");
        const isChosen = each === selected;
        return { fill, bold: isChosen || label !== "", label, weight: isChosen ? 1 : 0 };
      }),
    [view, what, shown, at, selected],
  );
  const time = `${clockLabel(at, day)} UTC`;
  const said = (each: number): string => {
    const { count, limit } = loadOf(what, shown, at, each);
    const of = limit === Number.POSITIVE_INFINITY ? "no limit" : `capacity ${limit}`;
    const regulated = linesAt(shown, at, each).map((line) => `; regulation ${line + 1} ${effectOf(view.lines[line])}`);
    return `${view.volumeNames[each]}: ${count} in the hour from ${time}, ${of}${regulated.join("")}`;
  };
  return (
    <ChartFrame
      title="Map"
      unit={`entries in the hour from ${time}, as a part of capacity; bold: regulated now, or chosen`}
      legend={legend}
      readout={readout}
      table={() => ({
        columns: ["volume", "name", "entries", "capacity", "load"],
        rows: day.volumeIds.map((id, each) => {
          const { count, limit } = loadOf(what, shown, at, each);
          const isLimited = limit !== Number.POSITIVE_INFINITY;
          const load = isLimited && limit > 0 ? formatPercent(count / limit) : "";
          return [id, view.volumeNames[each], count, isLimited ? limit : "", load];
        }),
      })}
      scene={() => scene(1000)}
    >
      <SceneCanvas
        scene={scene}
        label={`Map of ${day.volumeIds.length} volumes at ${time}; the numbers are in the table`}
        sayAt={(x, y, width) => {
          const found = volumeAt(view.map, width, x, y);
          return found === undefined ? "" : said(found);
        }}
        onSay={setReadout}
        spots={(width) => middles(view.map, width)}
        columnWidth={MAP_COLUMN}
        onPress={(x, y, width) => {
          volume.value = volumeAt(view.map, width, x, y) ?? volume.value;
        }}
      />
      <div class="slider">
        <button
          type="button"
          aria-pressed={playing.value}
          onClick={() => {
            playing.value = !playing.value;
          }}
        >
          {playing.value ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          aria-label="Time of the day"
          aria-valuetext={time}
          min={0}
          max={day.binCount - 1}
          value={at}
          onInput={({ currentTarget }) => {
            bin.value = Number(currentTarget.value);
          }}
        />
        <output>{time}</output>
        {view.plan.length > 0 && (
          <label class="choice">
            <input
              type="checkbox"
              checked={withPlan.value}
              onChange={({ currentTarget }) => {
                withPlan.value = currentTarget.checked;
              }}
            />
            with the plan
          </label>
        )}
      </div>
    </ChartFrame>
  );
}

function loadOf({ day }: WhatIf, { hourCount }: Tried, bin: number, volume: number): { count: number; limit: number } {
  const cell = volume * day.binCount + bin;
  return { count: hourCount[cell], limit: day.capacity[cell] };
}

/** Which lines of the list regulate a volume then. */
function linesAt({ plan, lines }: Tried, bin: number, volume: number): readonly number[] {
  return lines.filter((_, at) => plan[at].volume === volume && plan[at].fromBin <= bin && bin < plan[at].toBin);
}

/** What a regulation is worth, whom it delays most and what it pushes elsewhere, as far as there is room. */
function effectOf({ worth, flightsDelayed, origins: [most], pushes }: LineView): string {
  const [delayed, pushed] = [most === undefined ? "" : `, most from ${most.airport}`, pushes[0]];
  const elsewhere = pushed === undefined ? "" : `, pushes ${formatCount(pushed.flights)} to ${pushed.name}`;
  return `is worth ${formatValue(worth)}, delays ${formatCount(flightsDelayed)} flights${delayed}${elsewhere}`;
}
