import { importGolden } from "../src/import/published-artifacts.ts";
import { readPublishedCases } from "../src/published/rates/published-cases.ts";
import { type PublishedTask, publishedModels } from "../src/published/rates/published-model.ts";
import { RateFinder } from "../src/rate-search/rate-finder.ts";
import { goldenFiles, goldenText, type RateFinderCase } from "./golden.ts";

/** A published search: what it asks for, and a fresh finder configured for it. */
interface GoldenSearch {
  readonly name: string;
  readonly example: RateFinderCase;
  readonly task: PublishedTask;
  readonly finder: () => RateFinder<PublishedTask>;
}

export const goldenSearches: readonly GoldenSearch[] = goldenFiles.flatMap((file) => {
  const text = { source: file.name, text: goldenText(file.name) };
  const instance = importGolden(text);
  return readPublishedCases(text, instance).map(({ label, task, options, weights }, i) => ({
    name: `${file.name}, ${label}`,
    example: file.rate_finder_cases[i],
    task,
    finder: () => new RateFinder(publishedModels(instance, weights), options),
  }));
});
