import { UsageError } from "@coppice/engine/usage-error";
import { footballParameters } from "../tuning/ranges-file.ts";
import { chosenParameters, type FootballOptions, type SampledTuning } from "../tuning/tuning.ts";
import { type SamplingChoices, USUAL_TRIALS, USUAL_WINDOW } from "./sampling-options.ts";

/** Steps from the best that is known gain more from knowing it than from having many out. */
const STEPS_WINDOW = 2;

/** How the football model is searched by samples, and what there is to say about it. */
export function sampledTuning(
  choices: SamplingChoices &
    Pick<FootballOptions, "params" | "numParams" | "horizons" | "ranges" | "candidates"> & {
      /** What only a space of one's own has. */
      readonly space?: string;
      readonly evaluator?: string;
      readonly command?: string;
    },
): { readonly sampled: SampledTuning; readonly notices: readonly string[] } {
  const { method: wanted = "auto", trials = USUAL_TRIALS, regularize, crossValidate } = choices;
  const { repeats, patience, target, budget, first, from, continue: run } = choices;
  const { space, evaluator, command } = choices;
  const others = { space, evaluator, command, repeats, patience, target, budget, first, from, continue: run };
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (other !== undefined) throw new UsageError(`--${other} is for a space of your own, not for the football model`);
  const { candidates, given = [] } = choices;
  const drawn = Object.entries({
    "test-values": given.includes("testValues"),
    "max-passes": given.includes("maxPasses"),
    candidates: candidates !== undefined,
  }).find(([, isGiven]) => isGiven)?.[0];
  if (drawn !== undefined)
    throw new UsageError(`--${drawn} is for the tournament: leave it out, or search without --method`);
  chosenParameters(footballParameters(choices.ranges), choices);
  const horizons = choices.horizons?.length ?? 5;
  if (trials < horizons) throw new UsageError(`--trials ${trials} is fewer than the ${horizons} horizons`);
  const method = wanted === "auto" ? "steps" : wanted;
  if (method === "nsga2" || method === "halving" || method === "hyperband") {
    throw new UsageError(
      `--method ${method} is not for the football model: use auto, random, halton, tpe, cma-es or steps`,
    );
  }
  const { window = method === "steps" ? STEPS_WINDOW : USUAL_WINDOW } = choices;
  return {
    sampled: {
      method,
      trials,
      window,
      ...(regularize === undefined ? {} : { regularize }),
      ...(crossValidate === undefined ? {} : { crossValidate }),
    },
    notices: wanted === "auto" ? [`method ${method}: a horizon goes on from the best that any horizon has found`] : [],
  };
}
