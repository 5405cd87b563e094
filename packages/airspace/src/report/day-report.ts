import { type Markup, markup, page, table } from "@coppice/engine/page";
import { frontSection, frontStyle } from "../front/front-chart.ts";
import { clockLabel } from "../instance/clock.ts";
import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { flowsCalled, namesOf } from "../instance/names.ts";
import { findHotspots, type Hotspot } from "../network/hotspots.ts";
import { flowsOf, type Plan } from "../network/regulation.ts";
import { pricesText, type Weights } from "../network/weights.ts";
import { accountFor, type PlanAccount } from "../plan/plan-account.ts";
import { type Robustness, robustnessSection } from "../robust/robustness.ts";
import { demandChart } from "./demand-chart.ts";
import { type PlanSearch, searchSection, searchStyle } from "./search-section.ts";
import { outsideFrame, volumeMap } from "./volume-map.ts";

export interface DayReportInput {
  readonly instance: Instance;
  readonly weights: Weights;
  /** Shows the day before and after. */
  readonly plan?: Plan;
  /** How the plan was found. */
  readonly search?: PlanSearch;
  /** What the plan costs if the weather comes differently. */
  readonly robustness?: Robustness | undefined;
}

/** A day as its report shows it; without a plan, before and after are the same. */
interface DayView {
  readonly instance: Instance;
  readonly account: PlanAccount;
  readonly before: readonly Hotspot[];
  readonly after: readonly Hotspot[];
  readonly planned: boolean;
}

/** Volumes drawn as charts: those that are, or were, furthest above capacity. */
const CHARTS = 12;

const style = `
:root { --shade-1: #fbe3c0; --shade-2: #f5b76b; --shade-3: #e5703a; --shade-4: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --shade-1: #4a3a1e; --shade-2: #8a5a1e; --shade-3: #c9602f; --shade-4: #ff6a55; } }
.tiles { grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); }
.maps { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(min(480px, 100%), 1fr)); }
.maps svg { min-width: 0; }
.volume { stroke: var(--dim); stroke-opacity: 0.35; stroke-width: 0.8; fill: var(--panel); }
circle.volume { stroke-opacity: 0.8; }
.border, .state { fill: none; stroke: var(--ink); stroke-opacity: 0.45; stroke-width: 1; pointer-events: none; } .state { stroke-opacity: 0.32; stroke-width: 0.8; }
.airport { fill: var(--dim); } .flows { display: inline-block; min-width: 11em; }
.volume.shade-1 { fill: var(--shade-1); } .volume.shade-2 { fill: var(--shade-2); } .volume.shade-3 { fill: var(--shade-3); } .volume.shade-4 { fill: var(--shade-4); }
.place { fill: var(--ink); font-size: 15px; font-family: inherit; paint-order: stroke; stroke: var(--panel); stroke-width: 3px; }
.place.middle { text-anchor: middle; } .place.small { fill: var(--dim); font-size: 12px; }
@media (max-width: 600px) { .place, .place.middle { text-anchor: middle; } .place.small { font-size: 24px; } .charts .tick { font-size: 17px; } }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(400px, 100%), 1fr)); gap: 14px; }
.charts .chart svg { min-width: 0; }
.demand { fill: none; stroke: var(--leaf); stroke-width: 1.6; } .was { fill: none; stroke: var(--dim); stroke-width: 1; stroke-dasharray: 3 2; }
.limit { fill: none; stroke: var(--ink); stroke-width: 1.2; } .over { fill: var(--bad); opacity: 0.55; }
.key i { width: 14px; border: 1px solid var(--line); margin: 0; }
.key i.shade-1 { background: var(--shade-1); } .key i.shade-2 { background: var(--shade-2); } .key i.shade-3 { background: var(--shade-3); } .key i.shade-4 { background: var(--shade-4); }
`;

/** A day of traffic as one page that loads nothing: figures, map, charts, hotspots, and the plan if there is one. */
export function dayReport({ instance, weights, plan = [], search, robustness }: DayReportInput): string {
  const account = accountFor(instance, plan, weights);
  const before = findHotspots(instance, account.traffic.before.hourCount);
  const after = findHotspots(instance, account.traffic.after.hourCount);
  const planned = plan.length > 0;
  const view = { instance, account, before, after, planned };
  return page({
    title: instance.name,
    lead: `${instance.binCount} bins of ${instance.binMinutes} minutes from ${instance.start}; counts are entries per rolling hour.`,
    style: style + searchStyle + frontStyle,
    body: markup`${tiles(view)}
<h2>Map <small>flights above capacity, summed over the day</small></h2>
${maps(view)}
<h2>Demand and capacity <small>the volumes furthest above</small></h2>
<p class="legend">green: entries per rolling hour${planned ? " with the plan; dashed: without" : ""}; black: capacity; red: above it</p>
${charts(view)}
${planned ? planSection(instance, account) : undefined}
${robustness === undefined ? undefined : robustnessSection(robustness)}
<h2 id="hotspots">Hotspots <small>${planned ? "left with the plan" : "without a plan"}</small></h2>
${hotspotTable(instance, planned ? after : before)}
${search !== undefined && "front" in search.result ? frontSection(search.result.front, account.before.exceedance, weights.delayMinute) : undefined}
${search === undefined ? undefined : searchSection(search)}`,
    footer: `Prices of the objective: ${pricesText(weights)}.`,
  });
}

function tiles({ instance, account, before, after, planned }: DayView): Markup {
  const change = (was: number, is: number): string => (planned ? `${figure(was)} → ${figure(is)}` : figure(was));
  const facts: readonly (readonly [string, string])[] = [
    ["flights", figure(instance.flightIds.length)],
    ["volumes", figure(instance.volumeIds.length)],
    ["entries", figure(instance.visitVolume.length)],
    ["hotspots", change(before.length, after.length)],
    ["exceedance", change(account.before.exceedance, account.after.exceedance)],
    ["objective", change(account.before.objective, account.after.objective)],
    ...(planned ? ([["delay, minutes", figure(account.after.delayMinutes)]] as const) : []),
  ];
  return markup`<dl class="tiles">${facts.map(([name, value]) => markup`<div class="tile"><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function maps({ instance, before, after, planned }: DayView): Markup {
  const [was, is] = [excessByVolume(instance, before), excessByVolume(instance, after)];
  const most = Math.max(...was, ...is, 1);
  const figureOf = (excess: Float64Array, caption: string): Markup =>
    markup`<figure class="panel chart">${volumeMap(instance, excess, most, caption)}<figcaption>${caption}${farText(outsideFrame(instance, excess))}</figcaption></figure>`;
  return markup`<div class="maps" id="map">${figureOf(was, planned ? "without a plan" : `cells and sectors are outlines, arrival volumes dots${hasLayers(instance) ? "; a sector under others is drawn smaller" : ""}`)}${
    planned ? figureOf(is, "with the plan") : undefined
  }</div><p class="legend key">above capacity: a little <i class="shade-1"></i><i class="shade-2"></i><i class="shade-3"></i><i class="shade-4"></i> up to ${figure(most)} flights</p>`;
}

function hasLayers({ volumeDetails }: Instance): boolean {
  return volumeDetails.some(({ floor, ceiling }) => floor !== undefined || ceiling !== undefined);
}

function farText(far: readonly string[]): string {
  return far.length === 0 ? "" : `; outside the frame: ${far.join(", ")}`;
}

function charts({ instance, account, before, after, planned }: DayView): Markup {
  const { binCount } = instance;
  const volumes = [...new Set([...before, ...after].map(({ volume }) => volume))];
  const excess = excessByVolume(instance, [...before, ...after]);
  volumes.sort((a, b) => excess[b] - excess[a] || a - b);
  const row = (counts: Int32Array, volume: number): Int32Array =>
    counts.subarray(volume * binCount, (volume + 1) * binCount);
  if (volumes.length === 0) return markup`<p class="empty">Every volume is within its capacity all day.</p>`;
  return markup`<div class="charts" id="charts">${volumes.slice(0, CHARTS).map(
    (volume) =>
      markup`<div class="panel">${demandChart({
        title: titleOf(instance, volume),
        before: row(account.traffic.before.hourCount, volume),
        after: planned ? row(account.traffic.after.hourCount, volume) : undefined,
        capacity: instance.capacity.subarray(volume * binCount, (volume + 1) * binCount).map(wholeCapacity),
        hourLabel: (bin) => clockLabel(bin, instance),
      })}</div>`,
  )}</div>`;
}

function planSection(instance: Instance, account: PlanAccount): Markup {
  const figures = ["rate/h", "flights delayed", "minutes", "exceedance there", "change of J"];
  const columns = [{ number: "" }, "volume", "window, UTC", "flows", ...figures.map((number) => ({ number }))];
  const rows = account.lines.map(
    ({ regulation, flightsDelayed, delayMinutes, exceedanceBefore, exceedanceAfter, delta }, k) => {
      const { volume, fromBin, toBin, flows, ratePerHour } = regulation;
      return [
        k + 1,
        markup`${namesOf(instance).volumes[volume]} <code>${instance.volumeIds[volume]}</code>`,
        windowOf(instance, fromBin, toBin),
        markup`<span class="flows" title="${flowTitles(instance, volume, flows)}">${flowsCalled(instance, volume, flowsOf(flows))}</span>`,
        ratePerHour,
        flightsDelayed,
        delayMinutes,
        `${exceedanceBefore} → ${exceedanceAfter}`,
        figure(delta),
      ];
    },
  );
  return markup`<h2 id="plan">Plan <small>in the order it is applied</small></h2><div class="panel">${table(columns, rows)}</div>`;
}

function hotspotTable(instance: Instance, hotspots: readonly Hotspot[]): Markup {
  if (hotspots.length === 0) return markup`<p class="empty">None.</p>`;
  const figures = ["excess", "worst hour", "peak", "capacity"];
  const rows = hotspots.map(({ volume, fromBin, toBin, excess, worst, peak, capacity }) => [
    markup`${namesOf(instance).volumes[volume]} <code>${instance.volumeIds[volume]}</code>`,
    windowOf(instance, fromBin, toBin),
    excess,
    worst,
    peak,
    capacity,
  ]);
  const columns = ["volume", "window, UTC", ...figures.map((number) => ({ number }))];
  return markup`<div class="panel long">${table(columns, rows)}</div>`;
}

/** A volume's name and id, once if they are the same. */
function titleOf(instance: Instance, volume: number): string {
  const [id, name] = [instance.volumeIds[volume], namesOf(instance).volumes[volume]];
  return id === name ? id : `${name} (${id})`;
}

function flowTitles(instance: Instance, volume: number, flows: number): string {
  const names = namesOf(instance);
  const known = instance.flowNames[volume].map((flow, number) => `${number}: ${names.flow(flow)}`);
  return flowsOf(flows)
    .map((flow) => known[flow] ?? `${flow}: nobody`)
    .join("; ");
}

function windowOf(instance: Instance, fromBin: number, toBin: number): string {
  return `${clockLabel(fromBin, instance)}–${clockLabel(toBin, instance)}`;
}

function excessByVolume(instance: Instance, hotspots: readonly Hotspot[]): Float64Array {
  const sums = new Float64Array(instance.volumeIds.length);
  for (const { volume, excess } of hotspots) sums[volume] += excess;
  return sums;
}

function figure(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}
