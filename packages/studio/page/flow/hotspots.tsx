import { clockLabel, findHotspots } from "@coppice/airspace/what-if";
import { formatCount } from "@coppice/engine/figures";
import type { Signal } from "@preact/signals";
import { TablePanel } from "../chart/plain-table.tsx";
import type { WhatIf } from "./what-if.ts";

interface HotspotsProps {
  readonly what: WhatIf;
  readonly volume: Signal<number>;
  readonly bin: Signal<number>;
}

/** Where and when traffic is above capacity, worst first; a click shows it on the map. */
export function Hotspots({ what, volume, bin }: HotspotsProps) {
  const { day, view } = what;
  const found = findHotspots(day, what.tried.value.hourCount);
  const show = (hotspot: (typeof found)[number]): void => {
    volume.value = hotspot.volume;
    bin.value = hotspot.fromBin;
  };
  return (
    <TablePanel
      title={`${formatCount(found.length)} ${found.length === 1 ? "hotspot" : "hotspots"} ${view.plan.length === 0 ? "without a plan" : "left with the plan"}`}
      columns={["Volume", "Window, UTC", "Above capacity", "Worst hour", "Peak", "Capacity"]}
      rows={found.map((hotspot) => {
        const name = view.volumeNames[hotspot.volume];
        const shown = (
          <button type="button" class="plain" onClick={() => show(hotspot)}>
            {name}
          </button>
        );
        const window = `${clockLabel(hotspot.fromBin, day)}–${clockLabel(hotspot.toBin, day)}`;
        return [{ value: name, shown }, window, hotspot.excess, hotspot.worst, hotspot.peak, hotspot.capacity];
      })}
    />
  );
}
