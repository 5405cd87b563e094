import assert from "node:assert/strict";
import { importGolden } from "../src/import/published.ts";
import type { Instance } from "../src/instance/instance.ts";
import { RateFinder } from "../src/rates/rate-finder.ts";
import type { RateOptions } from "../src/rates/rate-options.ts";
import { type ReferenceTask, referenceModels } from "../src/rates/reference-model.ts";
import { flowsOfIds, volumeOfId } from "../src/reference/controlled-flows.ts";
import { goldenFiles, goldenText, type RateFinderCase } from "./golden.ts";

/** A published search: what it asks for, and a fresh finder configured for it. */
export interface GoldenSearch {
  readonly name: string;
  readonly example: RateFinderCase;
  readonly task: ReferenceTask;
  readonly finder: () => RateFinder<ReferenceTask>;
}

export const goldenSearches: readonly GoldenSearch[] = goldenFiles.flatMap((file) => {
  const instance = importGolden({ source: file.name, text: goldenText(file.name) });
  return file.rate_finder_cases.map((example) => ({
    name: `${file.name}, ${example.label}`,
    example,
    task: taskOf(instance, example),
    finder: () => new RateFinder(referenceModels(instance), optionsOf(example.config)),
  }));
});

function taskOf(instance: Instance, example: RateFinderCase): ReferenceTask {
  return {
    volume: volumeOfId(instance, example.control_volume_id),
    window: example.window_bins,
    mode: example.mode,
    flows: flowsOfIds(instance, example.flows),
  };
}

/** A published configuration under the names used here. */
function optionsOf(config: RateFinderCase["config"]): Partial<RateOptions> {
  const options: { -readonly [Name in keyof RateOptions]?: RateOptions[Name] } = {};
  for (const [name, value] of Object.entries(config)) {
    if (name === "fast_scorer_enabled") assert.equal(value, false);
    else if (name === "rate_grid")
      options.rateGrid = config.rate_grid?.map((rate) => (rate === "inf" ? Number.POSITIVE_INFINITY : rate)) ?? [];
    else if (name === "use_adaptive_grid") options.adaptiveGrid = value === true;
    else {
      assert.ok(name in numericOptions && typeof value === "number", `option ${name}`);
      options[numericOptions[name]] = value;
    }
  }
  return options;
}

const numericOptions: Readonly<
  Record<string, "passes" | "epsilon" | "maxEvaluations" | "cacheSize" | "maxAdaptiveRate" | "maxAdaptiveCandidates">
> = {
  passes: "passes",
  epsilon: "epsilon",
  max_eval_calls: "maxEvaluations",
  cache_size: "cacheSize",
  max_adaptive_rate: "maxAdaptiveRate",
  max_adaptive_candidates: "maxAdaptiveCandidates",
};
