import { importGolden } from "../src/import/published.ts";
import { readPublishedCases } from "../src/rates/published-cases.ts";
import { RateFinder } from "../src/rates/rate-finder.ts";
import { type ReferenceTask, referenceModels } from "../src/rates/reference-model.ts";
import { goldenFiles, goldenText, type RateFinderCase } from "./golden.ts";

/** A published search: what it asks for, and a fresh finder configured for it. */
interface GoldenSearch {
  readonly name: string;
  readonly example: RateFinderCase;
  readonly task: ReferenceTask;
  readonly finder: () => RateFinder<ReferenceTask>;
}

export const goldenSearches: readonly GoldenSearch[] = goldenFiles.flatMap((file) => {
  const text = { source: file.name, text: goldenText(file.name) };
  const instance = importGolden(text);
  return readPublishedCases(text, instance).map(({ label, task, options, weights }, i) => ({
    name: `${file.name}, ${label}`,
    example: file.rate_finder_cases[i],
    task,
    finder: () => new RateFinder(referenceModels(instance, weights), options),
  }));
});
