import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type InputText, markNumericKeys, readInput, readJson, unmarkKey } from "../../import/input-text.ts";
import type { DayChoice } from "../../import/open-day.ts";
import { type Instance, volumeOfId } from "../../instance/instance.ts";
import { flowsOf } from "../../network/regulation.ts";
import { readPlanFile } from "../../plan/plan-file.ts";
import type { InventoryOptions } from "../hotspots/inventory.ts";
import { chosenInventory, type DiscoveryChoice } from "../hotspots/inventory-file.ts";
import { controlledFlows, flowsOfIds } from "../scoring/controlled-flows.ts";
import { type Score, scoreProfiles } from "../scoring/published-score.ts";
import { type Cell, publishedWeightsShape, weightsOfPublished } from "../scoring/published-weights.ts";
import { releaseProfile } from "../scoring/release-profile.ts";
import { scoreContext } from "../scoring/score-context.ts";
import type { PublishedRegulation } from "./plan-objective.ts";
import { type FlowsOf, publishedScore, readPublishedPlan } from "./published-plan.ts";

const rate = z.union([z.number(), z.literal("inf")]);
const window = z.tuple([z.int().min(0), z.int()]);
const bin = z.int().min(0);
/** Pairs (volume, bin), or bins by volume. */
const cells = z.union([
  z.array(z.tuple([z.string(), bin])),
  z
    .record(z.string(), z.array(bin))
    .transform((byVolume) =>
      Object.entries(byVolume).flatMap(([id, bins]) => bins.map((at): [string, number] => [unmarkKey(id), at])),
    ),
]);
/** By flow; a map, because objects sort names that are numbers to the front. */
function byFlow<Value>(value: z.ZodType<Value>) {
  return z
    .record(z.string(), value)
    .transform((record) => new Map(Object.entries(record).map(([id, of]) => [unmarkKey(id), of])));
}
const mode = z.enum(["per_flow", "blanket"]).default("per_flow");
const caseShape = z.object({
  label: z.string().optional(),
  control_volume_id: z.string(),
  window_bins: window,
  mode,
  flows: byFlow(z.array(z.string())),
  rates: z.union([z.null(), rate, byFlow(rate)]).default(null),
  weights_override: publishedWeightsShape.default({}),
  /** By default the control volume's window. */
  target_cells: cells.optional(),
  ripple_cells: cells.optional(),
  /** Volumes whose exceedance counts; by default the control volume alone. */
  scope: z
    .array(z.string())
    .min(1)
    .refine((ids) => new Set(ids).size === ids.length, "a volume is listed twice")
    .optional(),
});
type ScoreCase = z.infer<typeof caseShape>;
const cases = z.array(caseShape).optional();
const numbersShape = z.object({
  score_cases: cases,
  ripple_score_cases: cases,
  plan_objective_cases: z.array(z.object({ label: z.string().optional(), plan: z.array(z.unknown()) })).optional(),
});

/** Scores the plan file that was chosen; `discovery`, or a day of reference numbers, says how its flows were found. */
export function scorePublishedFile(
  instance: Instance,
  plan: string,
  choice: DiscoveryChoice & Pick<DayChoice, "flows">,
): object {
  const whose = choice.flows === undefined ? "discovery" : "day";
  return scorePublished(instance, readInput("--plan", plan), chosenInventory(instance, choice), whose);
}

/** Scores what a file holds (a score case, a plan, or all cases of a file of reference numbers), under published names. */
export function scorePublished(
  instance: Instance,
  file: InputText,
  options: InventoryOptions = {},
  whose: FlowsOf = "discovery",
): object {
  const own = ownPlan(file, instance);
  if (own !== undefined) return publishedScore(instance, own, options, {}, "day");
  const content = readJson(file.text, file.source, z.unknown());
  const marked = markNumericKeys(file.text);
  if (Object.keys(numbersShape.shape).some((section) => has(content, section))) {
    const { score_cases, ripple_score_cases } = readJson(marked, file.source, numbersShape);
    const { plan_objective_cases } = readJson(file.text, file.source, numbersShape);
    const scored = (example: ScoreCase) => ({ label: example.label, ...caseScore(instance, example) });
    return {
      score_cases: score_cases?.map(scored),
      ripple_score_cases: ripple_score_cases?.map(scored),
      plan_objective_cases: plan_objective_cases?.map(({ label, plan }) => {
        const own = { source: `${file.source}: ${label}`, text: JSON.stringify(plan) };
        return { label, ...publishedScore(instance, readPublishedPlan(own, instance), options) };
      }),
    };
  }
  if (has(content, "flows")) return caseScore(instance, readJson(marked, file.source, caseShape));
  return publishedScore(instance, readPublishedPlan(file, instance), options, {}, whose);
}

/** A plan in this project's own form, a line as one rate for all its flows; undefined if the file has a different form. */
function ownPlan(file: InputText, instance: Instance): PublishedRegulation[] | undefined {
  const form = z.union([z.array(ownLine).min(1), z.object({ plan: z.array(ownLine).min(1) })]);
  const isTable = /\.(csv|geojson)(\.gz)?$/i.test(file.source);
  if (!isTable && !form.safeParse(readJson(file.text, file.source, z.unknown())).success) return undefined;
  return readPlanFile(file, instance).plan.map(({ volume, fromBin, toBin, flows, ratePerHour }) => ({
    volume,
    window: [fromBin, toBin],
    flowIds: flowsOf(flows).map((flow) => instance.flowNames[volume][flow]),
    mode: "blanket",
    rates: ratePerHour,
  }));
}

const ownLine = z.object({ volume: z.string() });

/** Whether a file has a section. */
function has(content: unknown, key: string): boolean {
  return typeof content === "object" && content !== null && key in content;
}

function caseScore(instance: Instance, example: ScoreCase): object {
  const volume = volumeOfId(instance, example.control_volume_id);
  const [from, to] = checkedWindow(instance, example.control_volume_id, example.window_bins);
  const cellsOf = (given: readonly (readonly [string, number])[]): Cell[] =>
    given.map(([id, bin]) => ({ volume: volumeOfId(instance, id), bin }));
  const targets =
    example.target_cells === undefined
      ? Array.from({ length: to - from }, (_, at) => ({ volume, bin: from + at }))
      : cellsOf(example.target_cells);
  const scope = example.scope ?? [example.control_volume_id];
  const context = scoreContext(instance, {
    flows: controlledFlows(instance, {
      volume,
      window: [from, to],
      flows: flowsOfIds(instance, example.flows),
      mode: example.mode,
    }),
    volumes: scope.map((id) => volumeOfId(instance, id)),
    attention: { targets, ripples: cellsOf(example.ripple_cells ?? []) },
    weights: weightsOfPublished(example.weights_override),
  });
  const given = example.rates;
  const rateOf = (flow: string): number => {
    const found = given instanceof Map ? given.get(flow) : given;
    return typeof found === "number" ? found : Number.POSITIVE_INFINITY;
  };
  const plans = context.flows.map((flow) => releaseProfile(flow.demand, rateOf(flow.id), [from, to], instance));
  const score = scoreProfiles(context, plans);
  return {
    J_total: score.objective,
    components: score.components,
    demand: Object.fromEntries(context.flows.map((flow) => [flow.id, sparse(flow.demand)])),
    n: Object.fromEntries(context.flows.map((flow, f) => [flow.id, sparse(plans[f])])),
    delays_min: delaysOf(score),
    occupancy: Object.fromEntries(scope.map((id, at) => [id, sparse(score.occupancy[at])])),
  };
}

function checkedWindow(
  instance: Instance,
  id: string,
  [from, to]: readonly [number, number],
): readonly [number, number] {
  if (from < to && to <= instance.binCount) return [from, to];
  throw new UsageError(
    `regulation ${id}: window ${from}-${to} must lie in bins 0 to ${instance.binCount} and not be empty`,
  );
}

function delaysOf(score: Score): Record<string, number> {
  return Object.fromEntries([...score.releases].map(([flight, { delayMinutes }]) => [flight, delayMinutes]));
}

function sparse(values: Int32Array): Record<string, number> {
  return Object.fromEntries([...values].flatMap((value, at) => (value === 0 ? [] : [[String(at), value]])));
}
