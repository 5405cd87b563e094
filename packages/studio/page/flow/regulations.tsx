import type { LineView } from "@coppice/airspace/view";
import { clockLabel, flowsOf, type Regulation } from "@coppice/airspace/what-if";
import { formatCount, formatValue } from "@coppice/engine/figures";
import { type Signal, useSignal } from "@preact/signals";
import { columnFormat } from "../chart/column-format.ts";
import { CsvButton } from "../chart/plain-table.tsx";
import type { WhatIf } from "./what-if.ts";

interface RegulationsProps {
  readonly what: WhatIf;
  readonly volume: Signal<number>;
  readonly bin: Signal<number>;
}

/** The plan line by line: what each is worth, whom it delays, and switches and sliders to change it. */
export function Regulations({ what, volume, bin }: RegulationsProps) {
  const open = useSignal<number | undefined>(undefined);
  const { view, day } = what;
  const choose = (at: number, { volume: there, fromBin }: Regulation): void => {
    open.value = open.value === at ? undefined : at;
    volume.value = there;
    bin.value = fromBin;
  };
  const worthText = columnFormat(view.lines.map(({ worth }) => worth));
  const table = () =>
    what.lines.value.map(({ regulation: { volume: there, fromBin, toBin, ratePerHour }, on }, at) => [
      ...[at + 1, on ? "on" : "off", view.volumeNames[there], clockLabel(fromBin, day), clockLabel(toBin, day)],
      ...[ratePerHour, view.lines[at].worth, view.lines[at].flightsDelayed, view.lines[at].delayMinutes],
    ]);
  return (
    <section class="panel" aria-label="Regulations">
      <div class="titled">
        <h2>Regulations</h2>
        <CsvButton
          title="regulations"
          columns={["number", "on", "volume", "from", "to", "rate per hour", "worth", "flights delayed", "minutes"]}
          rows={table()}
        />
      </div>
      <p class="muted small">
        In the order they are applied; figures are of the plan that was found. Worth: by how much J would rise without
        this one. Open one to change it.
      </p>
      <div class="scrolling">
        <table class="regulations">
          <thead>
            <tr>
              <th>On</th>
              <th class="number">#</th>
              <th>Volume</th>
              <th>Window, UTC</th>
              <th class="number">Rate, per hour</th>
              <th class="number">Worth</th>
              <th class="number">Delays, flights</th>
              <th class="number">Minutes</th>
            </tr>
          </thead>
          <tbody>
            {what.lines.value.map(({ regulation, on }, at) => {
              const { volume: there, fromBin, toBin, ratePerHour } = regulation;
              const { worth, flightsDelayed, delayMinutes } = view.lines[at];
              const name = view.volumeNames[there];
              return (
                <>
                  <tr key={at} class={open.value === at ? "selected" : ""}>
                    <td>
                      <input
                        type="checkbox"
                        aria-label={`Regulation ${at + 1}, ${name}`}
                        checked={on}
                        onChange={({ currentTarget }) => what.edit(at, currentTarget.checked)}
                      />
                    </td>
                    <td class="number">{at + 1}</td>
                    <td class="name">
                      <button
                        type="button"
                        class="plain"
                        aria-expanded={open.value === at}
                        onClick={() => choose(at, regulation)}
                      >
                        {name}
                      </button>
                    </td>
                    <td class="short window">
                      {clockLabel(fromBin, day)}–{clockLabel(toBin, day)}
                    </td>
                    <td class="number figure" data-label="Per hour">
                      {formatValue(ratePerHour)}
                    </td>
                    <td class="number figure worth" data-label="Worth">
                      {worthText(worth)}
                    </td>
                    <td class="number figure" data-label="Flights">
                      {formatCount(flightsDelayed)}
                    </td>
                    <td class="number figure minutes" data-label="Minutes">
                      {formatCount(delayMinutes)}
                    </td>
                  </tr>
                  {open.value === at && (
                    <tr key={`${at}-open`} class="opened">
                      <td />
                      <td colSpan={7}>
                        <Sliders what={what} at={at} />
                        <Effects
                          line={view.lines[at]}
                          flows={flowsOf(regulation.flows).map((flow) => view.flowNames[there][flow] ?? "")}
                        />
                      </td>
                    </tr>
                  )}
                </>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Sliders({ what, at }: { readonly what: WhatIf; readonly at: number }) {
  const { day, view } = what;
  const { regulation, on } = what.lines.value[at];
  const { fromBin, toBin, ratePerHour } = regulation;
  const change = (part: Partial<Regulation>): void => what.edit(at, on, part);
  const clock = (bin: number) => `${clockLabel(bin, day)} UTC`;
  const most = Math.max(10, Math.ceil(2 * view.plan[at].ratePerHour));
  return (
    <div class="sliders">
      <Slider
        name="Rate"
        says={`${formatValue(ratePerHour)} per hour`}
        range={[1, most, ratePerHour]}
        to={(value) => change({ ratePerHour: value })}
      />
      <Slider
        name="From"
        says={clock(fromBin)}
        range={[0, day.binCount - 1, fromBin]}
        to={(value) => change({ fromBin: value, toBin: Math.max(toBin, value + 1) })}
      />
      <Slider
        name="To"
        says={clock(toBin)}
        range={[1, day.binCount, toBin]}
        to={(value) => change({ toBin: value, fromBin: Math.min(fromBin, value - 1) })}
      />
    </div>
  );
}

interface SliderProps {
  readonly name: string;
  readonly says: string;
  readonly range: readonly [least: number, most: number, value: number];
  readonly to: (value: number) => void;
}

function Slider({ name, says, range: [min, max, value], to }: SliderProps) {
  return (
    <label>
      <span class="muted small">{name}</span>
      <input
        type="range"
        aria-label={name}
        min={min}
        max={max}
        value={value}
        aria-valuetext={says}
        onInput={({ currentTarget }) => to(Number(currentTarget.value))}
      />
      <output>{says}</output>
    </label>
  );
}

/** Whom it delays, what it takes away and what it pushes elsewhere. */
function Effects({ line, flows }: { readonly line: LineView; readonly flows: readonly string[] }) {
  const { origins, protects, pushes, exceedanceBefore, exceedanceAfter, minutesSavedWithout } = line;
  const flights = (changes: LineView["pushes"]) =>
    changes.map(({ name, flights: count }) => `${name} ${formatCount(count)}`).join(", ") || "nothing";
  return (
    <dl class="facts">
      <dt>Flows</dt>
      <dd>{flows.join(", ")}</dd>
      <dt>Delays most</dt>
      <dd>{origins.map(({ airport, minutes }) => `${airport} ${formatCount(minutes)} min`).join(", ") || "nobody"}</dd>
      <dt>Above capacity there</dt>
      <dd>
        {formatCount(exceedanceBefore)} before it, {formatCount(exceedanceAfter)} after it
      </dd>
      <dt>Takes away, flights above capacity</dt>
      <dd>{flights(protects)}</dd>
      <dt>Pushes elsewhere</dt>
      <dd>{flights(pushes)}</dd>
      <dt>Without it</dt>
      <dd>
        {formatCount(Math.abs(minutesSavedWithout))} minutes {minutesSavedWithout < 0 ? "more" : "less"} of delay in all
      </dd>
    </dl>
  );
}
