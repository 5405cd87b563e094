import { clockLabel, findHotspots } from "@coppice/airspace/what-if";
import { formatCount } from "@coppice/engine/figures";
import type { Signal } from "@preact/signals";
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
  return (
    <section class="panel" aria-label="Hotspots">
      <h2>
        {formatCount(found.length)} hotspots {view.plan.length === 0 ? "without a plan" : "left with the plan"}
      </h2>
      {found.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        <section class="scrolling long" tabIndex={0} aria-label="list of hotspots">
          <table>
            <thead>
              <tr>
                <th>Volume</th>
                <th>Window, UTC</th>
                <th class="number">Above capacity</th>
                <th class="number">Worst hour</th>
                <th class="number">Peak</th>
                <th class="number">Capacity</th>
              </tr>
            </thead>
            <tbody>
              {found.map((hotspot) => (
                <tr key={`${hotspot.volume}-${hotspot.fromBin}`}>
                  <td>
                    <button
                      type="button"
                      class="plain"
                      onClick={() => {
                        volume.value = hotspot.volume;
                        bin.value = hotspot.fromBin;
                      }}
                    >
                      {view.volumeNames[hotspot.volume]}
                    </button>
                  </td>
                  <td class="short">
                    {clockLabel(hotspot.fromBin, day)}–{clockLabel(hotspot.toBin, day)}
                  </td>
                  <td class="number">{formatCount(hotspot.excess)}</td>
                  <td class="number">{formatCount(hotspot.worst)}</td>
                  <td class="number">{formatCount(hotspot.peak)}</td>
                  <td class="number">{formatCount(hotspot.capacity)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
