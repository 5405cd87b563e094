import assert from "node:assert/strict";
import type { Instance } from "../src/instance/instance.ts";
import type { RateOptions } from "../src/rates/rate-options.ts";
import type { ReferenceTask } from "../src/rates/reference-model.ts";
import { flowsOfIds, volumeOfId } from "../src/reference/controlled-flows.ts";
import type { RateFinderCase } from "./golden.ts";

/** What a published case asks for. */
export function taskOf(instance: Instance, example: RateFinderCase): ReferenceTask {
  return {
    volume: volumeOfId(instance, example.control_volume_id),
    window: example.window_bins,
    mode: example.mode,
    flows: flowsOfIds(instance, example.flows),
  };
}

/** A published configuration under the names used here. */
export function optionsOf(config: RateFinderCase["config"]): Partial<RateOptions> {
  const known = ["fast_scorer_enabled", "rate_grid", "passes", "epsilon", "max_eval_calls", "use_adaptive_grid"];
  for (const name of Object.keys(config)) assert.ok(known.includes(name), `option ${name}`);
  return {
    ...(config.rate_grid === undefined
      ? {}
      : { rateGrid: config.rate_grid.map((rate) => (rate === "inf" ? Number.POSITIVE_INFINITY : rate)) }),
    ...(typeof config.passes === "number" ? { passes: config.passes } : {}),
    ...(typeof config.epsilon === "number" ? { epsilon: config.epsilon } : {}),
    ...(typeof config.max_eval_calls === "number" ? { maxEvaluations: config.max_eval_calls } : {}),
    ...(typeof config.use_adaptive_grid === "boolean" ? { adaptiveGrid: config.use_adaptive_grid } : {}),
  };
}
