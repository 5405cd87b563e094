import { z } from "zod";
import { type InputText, readInput, readJson } from "../../import/input-text.ts";
import { binStartLabel } from "../../instance/clock.ts";
import type { Instance } from "../../instance/instance.ts";
import type { InventoryOptions } from "./inventory.ts";
import type { HotspotSegment } from "./segments.ts";

const directionShape = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("none") }),
  z.object({
    mode: z.literal("coord_cosine"),
    angle_gate_deg: z.number().optional(),
    min_weight: z.number().optional(),
    cosine_exponent: z.number().optional(),
  }),
]);
const discoveryShape = z.object({
  threshold: z.number().optional(),
  top_hotspots: z.int().min(1).optional(),
  top_flows: z.int().min(0).optional(),
  min_flights_per_flow: z.int().min(0).optional(),
  max_flights_per_flow: z.int().min(1).optional(),
  leiden_params: z
    .object({
      threshold: z.number().optional(),
      resolution: z.number().positive().optional(),
      seed: z.int().optional(),
    })
    .optional(),
  /** Not a published name: the published planner has communities in its settings and never uses them. */
  grouping: z.enum(["components", "communities"]).optional(),
  direction_opts: directionShape.optional(),
});
const fileShape = z.union([z.object({ discovery_config: discoveryShape }), discoveryShape]);

/** Reads how hotspots and flows are found, under the published names; a file of reference numbers holds it too. */
export function readInventoryOptions(file: InputText): InventoryOptions {
  const content = readJson(file.text, file.source, fileShape);
  const config = "discovery_config" in content ? content.discovery_config : content;
  const direction = config.direction_opts;
  return {
    ...given("threshold", config.threshold),
    ...given("topHotspots", config.top_hotspots),
    ...given("topFlows", config.top_flows),
    ...given("minFlightsPerFlow", config.min_flights_per_flow),
    ...given("maxFlightsPerFlow", config.max_flights_per_flow),
    ...given("similarityThreshold", config.leiden_params?.threshold),
    ...(config.grouping === "communities"
      ? {
          communities: {
            ...given("resolution", config.leiden_params?.resolution),
            ...given("seed", config.leiden_params?.seed),
          },
        }
      : {}),
    ...(direction === undefined
      ? {}
      : direction.mode === "none"
        ? { direction }
        : {
            direction: {
              mode: direction.mode,
              ...given("angleGateDegrees", direction.angle_gate_deg),
              ...given("minWeight", direction.min_weight),
              ...given("cosineExponent", direction.cosine_exponent),
            },
          }),
  };
}

/** Where the way flows are found is written down: in a file of its own, or with a day of reference numbers. */
export interface DiscoveryChoice {
  readonly discovery?: string | undefined;
  readonly instance?: string | undefined;
}

/** How flows are found, as it was chosen; without positions of the volumes, directions cannot be compared. */
export function chosenInventory(day: Instance, { discovery, instance }: DiscoveryChoice): InventoryOptions {
  const placed = !day.volumeLatitude.some(Number.isNaN) && !day.volumeLongitude.some(Number.isNaN);
  const path = discovery ?? (instance?.endsWith(".json") ? instance : undefined);
  const given = path === undefined ? {} : readInventoryOptions(readInput("--discovery", path));
  return { direction: { mode: placed ? "coord_cosine" : "none" }, ...given };
}

/** A property only where there is a value. */
function given<Name extends string>(name: Name, value: number | undefined): { readonly [Key in Name]?: number } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: number });
}

/** A segment under the published names. */
export function publishedSegment(instance: Instance, segment: HotspotSegment) {
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
