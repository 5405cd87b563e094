import { defineEvaluator } from "@coppice/engine/evaluator";
import { decodeInstance } from "../../instance/artifact.ts";
import type { Instance } from "../../instance/instance.ts";
import { RateFinder } from "../../rate-search/rate-finder.ts";
import { publishedModels } from "../rates/published-model.ts";
import type { ReferenceTask, ReferenceValue } from "./reference-search.ts";

/** Finds the published rates of a hotspot in a worker; the day comes once, as shared bytes. */
export default defineEvaluator({
  setup: (_context: unknown, { instance }: Readonly<Record<string, SharedArrayBuffer>>): Instance =>
    decodeInstance(new Uint8Array(instance).slice(), "shared instance"),
  evaluate: (instance: Instance, task: ReferenceTask): ReferenceValue => referenceRates(instance, task),
});

/** A finder of its own for each hotspot: what another one left behind must not matter. */
export function referenceRates(instance: Instance, { adaptive, ...task }: ReferenceTask): ReferenceValue {
  const finding = new RateFinder(publishedModels(instance), { adaptiveGrid: adaptive }).find(task);
  if (finding === undefined) return { flowIds: [], rates: [], deltaJ: 0, evaluations: 0 };
  const { flowIds, rates, deltaJ, evaluations } = finding;
  return {
    flowIds,
    rates: rates.map((rate) => (rate < Number.POSITIVE_INFINITY ? rate : null)),
    deltaJ,
    evaluations,
  };
}
