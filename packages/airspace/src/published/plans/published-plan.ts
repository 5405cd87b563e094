import { wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type InputText, readJson } from "../../import/input-text.ts";
import { windowInDay } from "../../instance/clock.ts";
import { type Instance, volumeOfId } from "../../instance/instance.ts";
import { candidateOf, hotspotInventory, type InventoryOptions } from "../hotspots/inventory.ts";
import type { Flow } from "../scoring/controlled-flows.ts";
import type { PublishedWeights } from "../scoring/published-weights.ts";
import {
  type PlanObjective,
  type PublishedRegulation,
  planDomainObjective,
  systemObjective,
} from "./plan-objective.ts";

const rateShape = z.number().positive("a rate must be above 0");
const itemShape = z.object({
  control_volume_id: z.string(),
  window_bins: z.tuple([z.int().min(0), z.int()]),
  flow_ids: z.array(z.string()),
  mode: z.enum(["per_flow", "blanket"]).optional(),
  committed_rates: z.union([rateShape, z.record(z.string(), rateShape)]).optional(),
  rates_per_flow: z.record(z.string(), rateShape).nullish(),
  blanket_rate: rateShape.nullish(),
});
const planShape = z.union([z.array(itemShape), z.object({ plan: z.array(itemShape) })]);
const anyPlanShape = z.union([z.array(z.unknown()), z.object({ plan: z.array(z.unknown()) })]);

/** Reads a plan as the published planner writes it: a list of regulations, or an object with it as `plan`. */
export function readPublishedPlan(file: InputText, instance: Instance): PublishedRegulation[] {
  const content = readJson(file.text, file.source, planShape);
  const items = Array.isArray(content) ? content : content.plan;
  return items.map((item, i) => regulationOf(item, `${file.source}: regulation ${i + 1}`, instance));
}

/** Whether a file has a plan with the published names, as its first line shows. */
export function isPublishedPlan({ source, text }: InputText): boolean {
  if (/\.(csv|geojson)(\.gz)?$/i.test(source)) return false;
  const line = z.object({ control_volume_id: z.unknown() });
  const lines = z.tuple([line], z.unknown());
  return z.union([lines, z.object({ plan: lines })]).safeParse(readJson(text, source, z.unknown())).success;
}

/** Reads what can be read of such a plan: its regulations by their number, and a line for each that is wrong. */
export function inspectPublishedPlan(
  file: InputText,
  instance: Instance,
  options: InventoryOptions,
): { readonly regulations: ReadonlyMap<number, PublishedRegulation>; readonly problems: readonly string[] } {
  const content = readJson(file.text, file.source, anyPlanShape);
  const regulations = new Map<number, PublishedRegulation>();
  const problems: string[] = [];
  (Array.isArray(content) ? content : content.plan).forEach((item, i) => {
    const where = `regulation ${i + 1}`;
    const shaped = itemShape.safeParse(item);
    try {
      if (!shaped.success) throw new UsageError(`${where}: ${wrongField(shaped.error.issues)}`);
      const regulation = regulationOf(shaped.data, where, instance);
      const { volume, window, flowIds } = regulation;
      const found = candidateOf(instance, volume, window, options).flows.map(({ id }) => id);
      const names = [...found, ...instance.flowNames[volume]];
      const stranger = flowIds.find((id) => !names.includes(id));
      if (stranger !== undefined) {
        throw new UsageError(`${where}: no flow ${JSON.stringify(stranger)}; it may have ${names.join(", ")}`);
      }
      regulations.set(i + 1, regulation);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
    }
  });
  return { regulations, problems };
}

function regulationOf(item: z.infer<typeof itemShape>, where: string, instance: Instance): PublishedRegulation {
  const window = windowInDay(item.window_bins, where, instance);
  if (item.flow_ids.length === 0) throw new UsageError(`${where}: no flows`);
  const rates = item.committed_rates ?? item.rates_per_flow ?? item.blanket_rate ?? undefined;
  if (rates === undefined) throw new UsageError(`${where}: no rate; give rates_per_flow or blanket_rate`);
  const mode = item.mode ?? (typeof rates === "number" ? "blanket" : "per_flow");
  if ((mode === "blanket") !== (typeof rates === "number")) {
    throw new UsageError(`${where}: mode ${mode} needs ${mode === "blanket" ? "one rate" : "a rate per flow"}`);
  }
  return {
    volume: volumeOfId(instance, item.control_volume_id, `${where}: `),
    window,
    flowIds: item.flow_ids,
    mode,
    rates,
  };
}

/** Flights of one of a volume's own flows, if it has one of that name. */
function ownFlow(instance: Instance, volume: number, id: string): Flow[] {
  const flow = instance.flowNames[volume].indexOf(id);
  if (flow < 0) return [];
  const flights = instance.flightIds.flatMap((_, flight) => {
    for (let visit = instance.visitOffset[flight]; visit < instance.visitOffset[flight + 1]; visit++) {
      if (instance.visitVolume[visit] === volume) return instance.visitFlow[visit] === flow ? [flight] : [];
    }
    return [];
  });
  return [{ id, flights }];
}

/** A plan's two published objectives, under the published names. */
export interface PublishedScore {
  readonly final: {
    readonly objective: number;
    readonly components: PlanObjective["components"];
    readonly num_flows: number;
    readonly spill_T: number;
    readonly in_window_releases: number;
    /** Only flights that are delayed. */
    readonly delays_min: Readonly<Record<string, number>>;
  };
  readonly system: { readonly system_objective: number; readonly system_components: PlanObjective["components"] };
}

/** Whose flows the names in a plan are: those that the published planner finds, or the day's own. */
export type FlowsOf = "discovery" | "day";

/**
 * Scores a plan on the flows that the published planner finds; a window that is not a hotspot is grouped the same way.
 * Names that it does not know are looked for among the day's own flows, or in these first.
 */
export function publishedScore(
  instance: Instance,
  plan: readonly PublishedRegulation[],
  options: InventoryOptions = {},
  weights: Partial<PublishedWeights> = {},
  flowsOf: FlowsOf = "discovery",
): PublishedScore {
  const candidates = hotspotInventory(instance, options);
  for (const { volume, window, flowIds } of plan) {
    const at = candidates.findIndex(
      (candidate) =>
        candidate.volume === volume && candidate.window[0] === window[0] && candidate.window[1] === window[1],
    );
    const candidate = at < 0 ? candidateOf(instance, volume, window, options) : candidates[at];
    const found = new Map(candidate.flows.map((flow) => [flow.id, flow]));
    const extra = flowIds.flatMap((id) =>
      found.has(id) && flowsOf === "discovery" ? [] : ownFlow(instance, volume, id),
    );
    for (const flow of extra) found.set(flow.id, flow);
    const withOwn = { ...candidate, flows: [...found.values()] };
    if (at < 0) candidates.push(withOwn);
    else candidates[at] = withOwn;
  }
  const final = planDomainObjective(instance, candidates, plan, weights);
  const system = systemObjective(instance, candidates, plan, weights);
  const delays = [...final.releases].map(([flight, { delayMinutes }]) => [flight, delayMinutes] as const);
  return {
    final: {
      objective: final.objective,
      components: final.components,
      num_flows: final.flowCount,
      spill_T: final.spilled,
      in_window_releases: final.inWindowReleases,
      delays_min: Object.fromEntries(delays.filter(([, delayMinutes]) => delayMinutes > 0)),
    },
    system: { system_objective: system.objective, system_components: system.components },
  };
}
