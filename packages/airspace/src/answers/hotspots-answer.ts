import { counted, right, tableText } from "@coppice/engine/display";
import { styled } from "@coppice/engine/printable";
import { binLabel, binStartLabel, clockLabel } from "../instance/clock.ts";
import { type Instance, wholeCapacity } from "../instance/instance.ts";
import { namesOf } from "../instance/names.ts";
import { findHotspots, type Hotspot } from "../network/hotspots.ts";
import type { Plan } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import { accountFor, type PlanAccount } from "../plan/plan-account.ts";
import { publishedSegment } from "../published/hotspots/inventory-file.ts";
import { hotspotSegments, hourlyPresence } from "../published/hotspots/segments.ts";

/** A day's hotspots, without measures and, if there is a plan, with it. */
export interface DayHotspots {
  readonly instance: Instance;
  readonly planned: boolean;
  readonly account: PlanAccount;
  readonly before: readonly Hotspot[];
  readonly after: readonly Hotspot[];
}

/** The hotspots of a day without and with a plan. */
export function hotspotsWith(instance: Instance, plan: Plan, weights: Weights): DayHotspots {
  const account = accountFor(instance, plan, weights);
  return {
    instance,
    planned: plan.length > 0,
    account,
    before: findHotspots(instance, account.traffic.before.hourCount),
    after: findHotspots(instance, account.traffic.after.hourCount),
  };
}

/** Hotspots before and after a plan, as data. */
export function hotspotsJson({ instance, planned, account, before, after }: DayHotspots, weights: Weights): object {
  const { volumes: names } = namesOf(instance);
  const rows = (hotspots: readonly Hotspot[]) =>
    hotspots.map(({ volume, fromBin, toBin, ...figures }) => ({
      volume: instance.volumeIds[volume],
      name: names[volume],
      window: [fromBin, toBin],
      windowUtc: [clockLabel(fromBin, instance), clockLabel(toBin, instance)],
      ...figures,
    }));
  return {
    instance: instance.name,
    weights,
    objective: planned ? account.after.objective : account.before.objective,
    exceedance: planned ? account.after.exceedance : account.before.exceedance,
    hotspots: rows(planned ? after : before),
    ...(planned ? { before: { objective: account.before.objective, hotspots: rows(before) } } : {}),
  };
}

/** The published planner's segments, by its own names. */
export function segmentsJson(instance: Instance): object {
  return hotspotSegments(instance).map((segment) => publishedSegment(instance, segment));
}

/** The worst `top` of these segments as a table with each volume's day as a sparkline. */
export function segmentsText(instance: Instance, top: number): string {
  const segments = hotspotSegments(instance);
  const presence = hourlyPresence(instance);
  const rows = segments
    .slice(0, top)
    .map(({ volume, startBin, endBin, maxExcess, sumExcess, peakRollingCount, capacity }) => [
      instance.volumeIds[volume],
      `${binStartLabel(startBin, instance)}-${binLabel(endBin, instance).slice(-5)}`,
      `${startBin}-${endBin}`,
      String(sumExcess),
      String(maxExcess),
      String(peakRollingCount),
      capacity.min === capacity.max ? String(capacity.min) : `${capacity.min}-${capacity.max}`,
      dayLine(instance, presence, volume),
    ]);
  const places = ["volume", "time", "first-last bin"];
  const figures = ["sum_excess", "max_excess", "peak_rolling_count", "capacity"];
  const title = `${instance.name}: ${segments.length} hotspot segments of the published planner`;
  return listing(title, places, figures, "00:00", rows, segments.length);
}

/** The worst hotspots with a line for each, under their title. */
function listing(
  title: string,
  places: readonly string[],
  figures: readonly string[],
  from: string,
  rows: readonly (readonly string[])[],
  all: number,
): string {
  const columns = [...places, ...right(...figures), `share of capacity from ${from}, full: above`];
  const more = all > rows.length ? [`… and ${all - rows.length} more (--top ${all})`] : [];
  return [title, ...(rows.length === 0 ? [] : ["", tableText(columns, rows)]), ...more, ""].join("\n");
}

function dayLine(instance: Instance, hourCount: Int32Array, volume: number): string {
  const [first, end] = [volume * instance.binCount, (volume + 1) * instance.binCount];
  return sparkline(hourCount.subarray(first, end), instance.capacity.subarray(first, end).map(wholeCapacity), 32);
}

/** The worst `top` hotspots as a table with each volume's day as a sparkline. */
export function hotspotsText(report: DayHotspots, top: number): string {
  const { instance, planned, account, before, after } = report;
  const hotspots = planned ? after : before;
  const counts = (planned ? account.traffic.after : account.traffic.before).hourCount;
  const { volumes: names } = namesOf(instance);
  const rows = hotspots
    .slice(0, top)
    .map(({ volume, fromBin, toBin, excess, worst, peak, capacity }) => [
      instance.volumeIds[volume],
      names[volume],
      `${clockLabel(fromBin, instance)}-${clockLabel(toBin, instance)}`,
      `${fromBin}-${toBin}`,
      ...[excess, worst, peak, capacity].map(String),
      dayLine(instance, counts, volume),
    ]);
  const score = planned ? account.after : account.before;
  const change = planned
    ? `, without the plan ${counted(before.length, "hotspot")} and ${account.before.exceedance}`
    : "";
  const title = `${instance.name}: ${counted(hotspots.length, "hotspot")}, exceedance ${score.exceedance}${change}`;
  const figures = ["excess", "worst", "peak", "capacity"];
  return listing(title, ["volume", "name", "UTC", "bins"], figures, clockLabel(0, instance), rows, hotspots.length);
}

const BARS = "▁▂▃▄▅▆▇█";

/** Counts as a line of bars by their share of the limit; a full bar, red in a terminal, is above it. */
export function sparkline(counts: ArrayLike<number>, limits: ArrayLike<number>, width: number): string {
  const perBar = Math.max(1, Math.ceil(counts.length / width));
  let line = "";
  for (let from = 0; from < counts.length; from += perBar) {
    let share = 0;
    for (let at = from; at < Math.min(from + perBar, counts.length); at++) {
      // A closed volume that nobody enters is not used at all.
      share = Math.max(share, counts[at] === 0 ? 0 : counts[at] / limits[at]);
    }
    if (share > 1) line += styled("red", BARS[BARS.length - 1]);
    else line += BARS[Math.min(BARS.length - 2, Math.floor(share * (BARS.length - 1)))];
  }
  return line;
}
