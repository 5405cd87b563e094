import { UsageError } from "@coppice/engine/usage-error";
import { suggestedMethod } from "@coppice/search";
import { footballParameters } from "../tuning/ranges-file.ts";
import { chosenParameters, type FootballOptions, type SampledTuning } from "../tuning/tuning.ts";
import { type SamplingChoices, USUAL_TRIALS, USUAL_WINDOW } from "./sampling-options.ts";

/** How the football model is searched by samples, and what there is to say about it. */
export function sampledTuning(
  choices: SamplingChoices & Pick<FootballOptions, "params" | "numParams" | "horizons" | "ranges">,
): { readonly sampled: SampledTuning; readonly notices: readonly string[] } {
  const { method: wanted = "auto", trials = USUAL_TRIALS, window = USUAL_WINDOW, regularize } = choices;
  const { repeats, patience, target, budget, first, from, continue: run } = choices;
  const others = { repeats, patience, target, budget, first, from, continue: run };
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (other !== undefined) throw new UsageError(`--${other} is for a space of your own, not for the football model`);
  const parameters = chosenParameters(footballParameters(choices.ranges), choices);
  const horizons = choices.horizons?.length ?? 5;
  if (trials < horizons) throw new UsageError(`--trials ${trials} is fewer than the ${horizons} horizons`);
  const space = { parameters, constraints: [] };
  const suggested = suggestedMethod({ space, objectives: 1, trials, hasBudget: false });
  const method = wanted === "auto" ? suggested.method : wanted;
  if (method === "nsga2" || method === "halving" || method === "hyperband") {
    throw new UsageError(`--method ${method} is not for the football model: use auto, random, halton, tpe or cma-es`);
  }
  return {
    sampled: { method, trials, window, ...(regularize === undefined ? {} : { regularize }) },
    notices: wanted === "auto" ? [`method ${method}: ${suggested.why}`] : [],
  };
}
