import { timed } from "@coppice/engine/evaluator";
import type { RateKernel } from "./kernel.ts";
import type { RateVector } from "./rate-search.ts";

/** Scores one vector, under the published timers. */
export function evaluateVector(kernel: RateKernel, vector: RateVector): number {
  const whole = timed("rate_finder.evaluate_candidate");
  const schedule = timed("rate_finder.build_schedule");
  kernel.schedule(vector.map((rate) => rate ?? Number.POSITIVE_INFINITY));
  schedule?.[Symbol.dispose]();
  const score = timed("rate_finder.score_with_context.candidate");
  const objective = kernel.score();
  score?.[Symbol.dispose]();
  whole?.[Symbol.dispose]();
  return objective;
}
