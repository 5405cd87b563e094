import { misspeltField, wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type InputText, readJson } from "../import/input-text.ts";
import { windowInDay } from "../instance/clock.ts";
import type { BinWindow, Instance } from "../instance/instance.ts";
import { weightsShape } from "../network/chosen-weights.ts";
import { flowSet, type Plan, type Regulation } from "../network/regulation.ts";
import type { Weights } from "../network/weights.ts";
import { planMapLines, planTableLines } from "./plan-formats.ts";

const flowName = z.union([z.int(), z.string()]);
const ownLine = z.strictObject({
  volume: z.string(),
  /** Said again in words. */
  name: z.unknown().optional(),
  windowUtc: z.unknown().optional(),
  flowNames: z.unknown().optional(),
  /** First bin and the bin after the last. */
  window: z.tuple([z.int(), z.int()]).optional(),
  b0: z.int().optional(),
  b1: z.int().optional(),
  /** Numbers or names of the volume's flows; all when absent. */
  flows: z.array(flowName).optional(),
  rate: z.number(),
});
const publishedLine = z.strictObject({
  control_volume_id: z.string(),
  window_bins: z.tuple([z.int(), z.int()]),
  /** Said again in words by `window_bins` and the rates. */
  window_labels: z.unknown().optional(),
  mode: z.unknown().optional(),
  flow_ids: z.array(flowName).optional(),
  rates_per_flow: z.record(z.string(), z.number()).nullish(),
  blanket_rate: z.number().nullish(),
});
const lines = z.array(z.unknown());
const fileShape = z.union(
  [
    lines,
    z.object({
      plan: lines,
      weights: weightsShape.optional(),
      instance: z.string().optional(),
      unique_evals: z.number().optional(),
    }),
  ],
  {
    error: 'a plan is a list of regulations, or an object with such a list as "plan"',
  },
);

/** A plan as read from a file; the prices and the day it was made for, if the file says. */
export interface PlanFile {
  readonly plan: Plan;
  readonly weights: Weights | undefined;
  readonly day: string | undefined;
}

/** A plan as far as it can be read, and a line for each regulation that cannot. */
export interface InspectedPlan extends PlanFile {
  /** Which regulation of the file, counted from 1, each line of the plan comes from. */
  readonly numbers: readonly number[];
  readonly problems: readonly string[];
  /** What the file says of the search that found it. */
  readonly evaluations: number | undefined;
}

/** Reads and checks a plan: `{ "plan": [{ "volume", "window": [from, to], "flows", "rate" }] }`, or the published form. */
export function readPlanFile(file: InputText, instance: Instance): PlanFile {
  const { plan, weights, day, problems } = inspectPlanFile(file, instance);
  if (problems.length > 0) throw new UsageError(`${file.source}: ${problems[0]}`);
  return { plan, weights, day };
}

/** Reads what can be read of a plan and names every regulation that is wrong. Throws only if the file does not hold a plan. */
export function inspectPlanFile(file: InputText, instance: Instance): InspectedPlan {
  const content = readContent(file);
  const items = Array.isArray(content) ? content : content.plan;
  const plan: Regulation[] = [];
  const numbers: number[] = [];
  const problems: string[] = [];
  items.forEach((item, at) => {
    try {
      for (const line of readLine(item, `regulation ${at + 1}`, instance)) {
        plan.push(line);
        numbers.push(at + 1);
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
    }
  });
  const said = Array.isArray(content) ? undefined : content;
  return { plan, numbers, problems, weights: said?.weights, day: said?.instance, evaluations: said?.unique_evals };
}

/** By the file's name: a table (.csv), a map (.geojson), or else JSON. */
function readContent(file: InputText): z.infer<typeof fileShape> {
  if (/\.csv(\.gz)?$/i.test(file.source)) return planTableLines(file);
  if (/\.geojson(\.gz)?$/i.test(file.source)) return planMapLines(file);
  return readJson(file.text, file.source, fileShape);
}

/** One regulation; one with a rate per flow is several lines. */
function readLine(item: unknown, where: string, instance: Instance): Regulation[] {
  if (typeof item === "object" && item !== null && "control_volume_id" in item) {
    const line = readShape(item, where, publishedLine);
    const volume = volumeRow(line.control_volume_id, where, instance);
    const window = readWindow(line.window_bins, where, instance);
    const perFlow = Object.entries(line.rates_per_flow ?? {});
    if (perFlow.length > 0) {
      return perFlow.map(([flow, rate]) => ({
        volume,
        ...window,
        flows: readFlows([flow], volume, where, instance, "names"),
        ratePerHour: readRate(rate, where),
      }));
    }
    if (line.blanket_rate === null || line.blanket_rate === undefined) {
      throw new UsageError(`${where}: no rate; give rates_per_flow or blanket_rate`);
    }
    const flows = readFlows(line.flow_ids, volume, where, instance, "names");
    return [{ volume, ...window, flows, ratePerHour: readRate(line.blanket_rate, where) }];
  }
  const line = readShape(item, where, ownLine);
  const volume = volumeRow(line.volume, where, instance);
  const [from, to] = line.window ?? [line.b0, line.b1];
  if (from === undefined || to === undefined) throw new UsageError(`${where}: no window; give "window": [from, to]`);
  return [
    {
      volume,
      ...readWindow([from, to], where, instance),
      flows: readFlows(line.flows, volume, where, instance),
      ratePerHour: readRate(line.rate, where),
    },
  ];
}

function readShape<Shape>(item: unknown, where: string, shape: z.ZodType<Shape>): Shape {
  const checked = shape.safeParse(item);
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  throw new UsageError(`${where}: ${misspeltField(issues, item, shape) ?? wrongField(issues)}`);
}

function volumeRow(id: string, where: string, instance: Instance): number {
  const row = instance.volumeIds.indexOf(id);
  if (row === -1)
    throw new UsageError(
      `${where}: unknown volume ${JSON.stringify(id)}; ${instance.name} has ${instance.volumeIds.length} volumes, none with this id`,
    );
  return row;
}

function readWindow(window: BinWindow, where: string, instance: Instance): { fromBin: number; toBin: number } {
  const [fromBin, toBin] = windowInDay(window, where, instance);
  return { fromBin, toBin };
}

/** A number is a flow's number, a text its name. A published plan's flow `"0"` is not flow 0 of our own: there only names count. */
function readFlows(
  flows: readonly (number | string)[] | undefined,
  volume: number,
  where: string,
  instance: Instance,
  by: "names" | "names or numbers" = "names or numbers",
): number {
  const names = instance.flowNames[volume];
  if (flows === undefined) return flowSet(names.keys());
  if (flows.length === 0) throw new UsageError(`${where}: no flows; leave "flows" out to mean all`);
  return flowSet(
    flows.map((flow) => {
      const number = typeof flow === "string" || by === "names" ? names.indexOf(String(flow)) : flow;
      if (number >= 0 && number < names.length) return number;
      const known =
        typeof flow === "string"
          ? `${instance.volumeIds[volume]} has ${names.join(", ")}`
          : `${instance.volumeIds[volume]} has flows 0 to ${names.length - 1}`;
      throw new UsageError(`${where}: unknown flow ${JSON.stringify(flow)}; ${known}`);
    }),
  );
}

function readRate(rate: number, where: string): number {
  if (!(rate > 0 && rate < Number.POSITIVE_INFINITY)) {
    throw new UsageError(`${where}: rate ${rate}; it must be above 0 flights per hour`);
  }
  return rate;
}
