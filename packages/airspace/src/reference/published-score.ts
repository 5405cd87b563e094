import { z } from "zod";
import type { InputText } from "../import/published.ts";
import { readJson } from "../import/read-json.ts";
import type { Instance } from "../instance/instance.ts";
import { InvalidInput } from "../invalid-input.ts";
import { controlledFlows, flowsOfIds, volumeOfId } from "./controlled-flows.ts";
import { hotspotInventory, type InventoryOptions } from "./inventory.ts";
import {
  type PlanObjective,
  type PublishedRegulation,
  planDomainObjective,
  systemObjective,
} from "./plan-objective.ts";
import { publishedWeightsShape, weightsOfPublished } from "./published-weights.ts";
import { releasePlan } from "./release-plan.ts";
import { type Score, scorePlans } from "./score.ts";
import { scoreContext } from "./score-context.ts";
import type { Cell } from "./weights.ts";

const rate = z.union([z.number(), z.literal("inf")]);
const window = z.tuple([z.int().min(0), z.int()]);
const cells = z.array(z.tuple([z.string(), z.int().min(0)]));
const mode = z.enum(["per_flow", "blanket"]).default("per_flow");
const caseShape = z.object({
  label: z.string().optional(),
  control_volume_id: z.string(),
  window_bins: window,
  mode,
  flows: z.record(z.string(), z.array(z.string())),
  rates: z.union([z.null(), rate, z.record(z.string(), rate)]).default(null),
  weights_override: publishedWeightsShape.default({}),
  /** Pairs (volume, bin); by default the control volume's window. */
  target_cells: cells.optional(),
  ripple_cells: cells.optional(),
});
const rates = z.union([z.number(), z.record(z.string(), z.number())]);
const regulationShape = z.object({
  control_volume_id: z.string(),
  window_bins: window,
  mode,
  flow_ids: z.array(z.union([z.string(), z.int().transform(String)])),
  committed_rates: rates.nullish(),
  rates_per_flow: z.record(z.string(), z.number()).nullish(),
  blanket_rate: z.number().nullish(),
});
const planCaseShape = z.object({ label: z.string().optional(), plan: z.array(regulationShape) });
const discoveryShape = z.object({
  threshold: z.number().optional(),
  top_hotspots: z.int().optional(),
  top_flows: z.int().optional(),
  min_flights_per_flow: z.int().optional(),
  max_flights_per_flow: z.int().optional(),
  leiden_params: z.object({ threshold: z.number().optional() }).optional(),
  direction_opts: z.object({ mode: z.enum(["none", "coord_cosine"]).optional() }).optional(),
});
const numbersShape = z.object({
  discovery_config: discoveryShape.optional(),
  score_cases: z.array(caseShape).optional(),
  plan_objective_cases: z.array(planCaseShape).optional(),
});
const fileShape = z.union([caseShape, planCaseShape, z.array(regulationShape), numbersShape], {
  error: "not a score case, a published plan or a file of reference numbers",
});

/** How hotspots and flows are found for a published plan. */
export type Discovery = z.infer<typeof discoveryShape>;

/** Reads `discovery_config` of a file of reference numbers, if it has one. */
export function readDiscovery(file: InputText): Discovery | undefined {
  return readJson(file.text, file.source, numbersShape).discovery_config;
}

/** Scores what a file holds (a score case, a plan, or all cases of a file of reference numbers), under published names. */
export function scorePublished(instance: Instance, file: InputText, discovery: Discovery = {}): object {
  const content = readJson(file.text, file.source, fileShape);
  if (Array.isArray(content)) return planScore(instance, content, discovery);
  if ("plan" in content) return planScore(instance, content.plan, discovery);
  if ("control_volume_id" in content) return caseScore(instance, content);
  return {
    score_cases: content.score_cases?.map((example) => ({ label: example.label, ...caseScore(instance, example) })),
    plan_objective_cases: content.plan_objective_cases?.map((example) => ({
      label: example.label,
      ...planScore(instance, example.plan, content.discovery_config ?? discovery),
    })),
  };
}

function caseScore(instance: Instance, example: z.infer<typeof caseShape>): object {
  const volume = volumeOfId(instance, example.control_volume_id);
  const [from, to] = checkedWindow(instance, example.control_volume_id, example.window_bins);
  const cellsOf = (given: readonly (readonly [string, number])[]): Cell[] =>
    given.map(([id, bin]) => ({ volume: volumeOfId(instance, id), bin }));
  const targets =
    example.target_cells === undefined
      ? Array.from({ length: to - from }, (_, at) => ({ volume, bin: from + at }))
      : cellsOf(example.target_cells);
  const context = scoreContext(instance, {
    flows: controlledFlows(instance, {
      volume,
      window: [from, to],
      flows: flowsOfIds(instance, example.flows),
      mode: example.mode,
    }),
    volumes: [volume],
    attention: { targets, ripples: cellsOf(example.ripple_cells ?? []) },
    weights: weightsOfPublished(example.weights_override),
  });
  const given = example.rates;
  const rateOf = (flow: string): number => {
    const found = typeof given === "object" ? (given?.[flow] ?? "inf") : given;
    return found === "inf" ? Number.POSITIVE_INFINITY : found;
  };
  const plans = context.flows.map((flow) => releasePlan(flow.demand, rateOf(flow.id), [from, to], instance));
  const score = scorePlans(context, plans);
  return {
    J_total: score.objective,
    components: score.components,
    demand: Object.fromEntries(context.flows.map((flow) => [flow.id, sparse(flow.demand)])),
    n: Object.fromEntries(context.flows.map((flow, f) => [flow.id, sparse(plans[f])])),
    delays_min: delaysOf(score),
    occupancy: { [example.control_volume_id]: sparse(score.occupancy[0]) },
  };
}

function planScore(
  instance: Instance,
  items: readonly z.infer<typeof regulationShape>[],
  discovery: Discovery,
): object {
  const candidates = hotspotInventory(instance, inventoryOptions(instance, discovery));
  const plan = items.map((item): PublishedRegulation => {
    const given = item.committed_rates ?? item.rates_per_flow ?? item.blanket_rate;
    if (given === null || given === undefined) {
      throw new InvalidInput(`regulation ${item.control_volume_id} ${item.window_bins.join("-")}: no rate`);
    }
    return {
      volume: volumeOfId(instance, item.control_volume_id),
      window: checkedWindow(instance, item.control_volume_id, item.window_bins),
      flowIds: item.flow_ids,
      mode: item.mode,
      rates: given,
    };
  });
  const final = planDomainObjective(instance, candidates, plan);
  const system = systemObjective(instance, candidates, plan);
  return {
    final: planNumbers(final),
    system: { system_objective: system.objective, system_components: system.components },
  };
}

function planNumbers(score: PlanObjective): object {
  const delayed = Object.entries(delaysOf(score)).filter(([, minutes]) => minutes !== 0);
  return {
    objective: score.objective,
    components: score.components,
    num_flows: score.flowCount,
    spill_T: score.spilled,
    in_window_releases: score.inWindowReleases,
    delays_min: Object.fromEntries(delayed),
  };
}

function inventoryOptions(instance: Instance, discovery: Discovery): InventoryOptions {
  const located = instance.volumeLatitude.every((latitude) => !Number.isNaN(latitude));
  const { threshold, top_hotspots: topHotspots, top_flows: topFlows } = discovery;
  const { min_flights_per_flow: minFlightsPerFlow, max_flights_per_flow: maxFlightsPerFlow } = discovery;
  const similarityThreshold = discovery.leiden_params?.threshold;
  return {
    direction: { mode: discovery.direction_opts?.mode ?? (located ? "coord_cosine" : "none") },
    ...(threshold === undefined ? {} : { threshold }),
    ...(topHotspots === undefined ? {} : { topHotspots }),
    ...(topFlows === undefined ? {} : { topFlows }),
    ...(minFlightsPerFlow === undefined ? {} : { minFlightsPerFlow }),
    ...(maxFlightsPerFlow === undefined ? {} : { maxFlightsPerFlow }),
    ...(similarityThreshold === undefined ? {} : { similarityThreshold }),
  };
}

function checkedWindow(
  instance: Instance,
  id: string,
  [from, to]: readonly [number, number],
): readonly [number, number] {
  if (from < to && to <= instance.binCount) return [from, to];
  throw new InvalidInput(
    `regulation ${id}: window ${from}-${to} must lie in bins 0 to ${instance.binCount} and not be empty`,
  );
}

function delaysOf(score: Score): Record<string, number> {
  return Object.fromEntries([...score.releases].map(([flight, { delayMinutes }]) => [flight, delayMinutes]));
}

function sparse(values: Int32Array): Record<string, number> {
  return Object.fromEntries([...values].flatMap((value, at) => (value === 0 ? [] : [[String(at), value]])));
}
