import type { Instance } from "../instance/instance.ts";
import { binStartLabel } from "./day-clock.ts";
import type { HotspotCandidate } from "./inventory.ts";
import type { Segment } from "./segments.ts";

/** A segment under the published names. */
export function publishedSegment(instance: Instance, segment: Segment) {
  return {
    traffic_volume_id: instance.volumeIds[segment.volume],
    start_bin: segment.startBin,
    end_bin: segment.endBin,
    start_label: binStartLabel(segment.startBin, instance),
    end_label: binStartLabel(segment.endBin, instance),
    time_bin_minutes: instance.binMinutes,
    window_minutes: 60,
    max_excess: segment.maxExcess,
    sum_excess: segment.sumExcess,
    peak_rolling_count: segment.peakRollingCount,
    capacity_stats: segment.capacity,
  };
}

/** A hotspot and its flows under the published names. */
export function publishedCandidate(instance: Instance, { volume, window, flows, proxies, prior }: HotspotCandidate) {
  const idsOf = (flights: readonly number[]) => flights.map((flight) => instance.flightIds[flight]);
  return {
    control_volume_id: instance.volumeIds[volume],
    window_bins: window,
    candidate_flow_ids: flows.map((flow) => flow.id),
    mode: "per_flow",
    hotspot_prior: prior,
    metadata: {
      flow_to_flights: Object.fromEntries(flows.map((flow) => [flow.id, idsOf(flow.flights)])),
      flow_proxies: Object.fromEntries(flows.map((flow, f) => [flow.id, proxies[f]])),
    },
  };
}
