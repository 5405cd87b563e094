import { type Instance, publishedFinding, publishedModels, RateFinder, readPublishedCases } from "@coppice/airspace";
import { inputText } from "./input-text.ts";
import { type CrewRequest, RateCrew } from "./rate-crew.ts";

/**
 * Runs the searches of a published file with their own flows and configuration, each twice with one finder, and gives
 * the numbers under the published names.
 */
export async function findRateCases(instance: Instance, casesFile: string, request: CrewRequest): Promise<object> {
  const cases = readPublishedCases(inputText("--cases", casesFile), instance);
  using crew = new RateCrew(request);
  const findings: object[] = [];
  for (const { label, volumeId, task, options, weights } of cases) {
    const finder = new RateFinder(publishedModels(instance, weights), options);
    const place = { volumeId, window: task.window, mode: task.mode };
    const first = publishedFinding(place, await crew.find(finder, task));
    const second = publishedFinding(place, await crew.find(finder, task));
    const { eval_calls, cache_hits } = second.diagnostics;
    const { rates, delta_j } = second;
    findings.push({ label, ...first, second_call: { eval_calls, cache_hits, delta_j, rates } });
  }
  return { instance: instance.name, semantics: "reference", rate_finder_cases: findings };
}
