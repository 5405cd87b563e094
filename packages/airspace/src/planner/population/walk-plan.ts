import type { Instance } from "../../instance/instance.ts";
import type { Weights } from "../../network/weights.ts";
import type { PlannerOptions } from "../planner-options.ts";
import { type PopulationResult, PopulationSearch } from "./population-search.ts";
import { type PopulationShape, populationShape } from "./population-shape.ts";
import { SegmentRunner } from "./run-segment.ts";

/** Plans a day with a population, segment after segment in this thread: the same plan as on any workers. */
export function walkPlan(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  shape: PopulationShape = populationShape(options.evaluations),
): PopulationResult {
  const search = new PopulationSearch(options, shape);
  const runner = new SegmentRunner(instance, weights);
  for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) {
    search.tell({ ok: true, value: runner.run(proposal.candidate) });
  }
  return search.result();
}
