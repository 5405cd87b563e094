import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type InputText, markNumericKeys, readJson, unmarkKey } from "../../import/input-text.ts";
import { type Instance, volumeOfId } from "../../instance/instance.ts";
import type { RateOptions } from "../../rate-search/rate-options.ts";
import { flowsOfIds } from "../scoring/controlled-flows.ts";
import { type PublishedWeights, publishedWeightsShape, weightsOfPublished } from "../scoring/published-weights.ts";
import type { PublishedTask } from "./published-model.ts";

const rateShape = z.union([z.number(), z.literal("inf").transform(() => Number.POSITIVE_INFINITY)]);
const configShape = z
  .strictObject({
    rate_grid: z.array(rateShape).optional(),
    passes: z.number().optional(),
    epsilon: z.number().optional(),
    max_eval_calls: z.number().optional(),
    cache_size: z.number().optional(),
    use_adaptive_grid: z.boolean().optional(),
    max_adaptive_rate: z.number().optional(),
    max_adaptive_candidates: z.number().optional(),
    objective_weights: publishedWeightsShape.nullish(),
    fast_scorer_enabled: z.literal(false, "the published fast scorer is wrong and does not exist here").optional(),
    verbose: z.boolean().optional(),
  })
  .default({});
const caseShape = z.object({
  label: z.string().optional(),
  control_volume_id: z.string(),
  window_bins: z.tuple([z.int().min(0), z.int()]),
  mode: z.enum(["per_flow", "blanket"]),
  flows: z.record(z.string(), z.array(z.string())),
  config: configShape,
});
const listShape = z.object({ rate_finder_cases: z.array(caseShape) });

/** A rate search as published files describe it. */
export interface PublishedCase {
  readonly label: string;
  readonly volumeId: string;
  readonly task: PublishedTask;
  readonly options: Partial<RateOptions>;
  readonly weights: Partial<PublishedWeights>;
}

/** Reads one search, or all `rate_finder_cases` of a file of reference numbers. */
export function readPublishedCases(file: InputText, instance: Instance): PublishedCase[] {
  const text = markNumericKeys(file.text);
  // Which of the two it is decides what is said about a mistake in it.
  const cases = text.includes('"rate_finder_cases"')
    ? readJson(text, file.source, listShape).rate_finder_cases
    : [readJson(text, file.source, caseShape)];
  return cases.map(({ label, control_volume_id: volumeId, window_bins: window, mode, flows, config }, i) => {
    const name = label ?? `search ${i + 1}`;
    if (window[1] > instance.binCount) {
      const range = `window ${window[0]}-${window[1]}`;
      throw new UsageError(
        `${file.source}: ${name}: ${range} leaves the day, which has bins 0 to ${instance.binCount}`,
      );
    }
    return {
      label: name,
      volumeId,
      task: { volume: volumeOfId(instance, volumeId), window, mode, flows: flowsOfIds(instance, inFileOrder(flows)) },
      options: optionsOf(config),
      weights: weightsOfPublished(config.objective_weights ?? {}),
    };
  });
}

/** Flows as the file lists them; where flights are in several, the last one decides. */
function inFileOrder(flows: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(flows).map(([id, flights]) => [unmarkKey(id), flights]));
}

/** The published names of the options of a rate search. */
const optionNames = {
  rateGrid: "rate_grid",
  passes: "passes",
  epsilon: "epsilon",
  maxEvaluations: "max_eval_calls",
  cacheSize: "cache_size",
  adaptiveGrid: "use_adaptive_grid",
  maxAdaptiveRate: "max_adaptive_rate",
  maxAdaptiveCandidates: "max_adaptive_candidates",
} as const satisfies Readonly<Record<keyof RateOptions, keyof z.infer<typeof configShape>>>;

function optionsOf(config: z.infer<typeof configShape>): Partial<RateOptions> {
  const given = Object.entries(optionNames).map(([name, published]) => [name, config[published]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
