import { UsageError } from "@coppice/engine/usage-error";
import { mostPoints, type SearchSpace } from "../space/search-space.ts";
import { cmaEsSampler } from "./cma-es.ts";
import { nsga2Sampler } from "./nsga2.ts";
import { haltonSampler, randomSampler } from "./spread.ts";
import { stepsSampler } from "./steps.ts";
import { tpeSampler } from "./tpe.ts";
import type { Sampler, SamplerSetting } from "./trial.ts";

/** The samplers by name. */
const samplers = {
  random: (setting: SamplerSetting) => randomSampler(setting),
  halton: (setting: SamplerSetting) => haltonSampler(setting),
  tpe: (setting: SamplerSetting) => tpeSampler(setting),
  "cma-es": (setting: SamplerSetting) => cmaEsSampler(setting),
  steps: (setting: SamplerSetting) => stepsSampler(setting),
  nsga2: (setting: SamplerSetting) => nsga2Sampler(setting),
} as const;

/** A way to choose points one by one. */
export type SamplerName = keyof typeof samplers;
/** Those, and ways that spend a budget in rungs. */
export type MethodName = SamplerName | "halving" | "hyperband";

/** Every method by name. */
export const METHODS: readonly MethodName[] = [
  "random",
  "halton",
  "tpe",
  "cma-es",
  "steps",
  "nsga2",
  "halving",
  "hyperband",
];

/** A new sampler for a search. */
export function samplerNamed(name: SamplerName, setting: SamplerSetting): Sampler {
  if (!Object.hasOwn(samplers, name)) {
    const known = Object.keys(samplers).join(", ");
    throw new UsageError(`there is no sampler ${JSON.stringify(name)}; the samplers are ${known}`);
  }
  return samplers[name](setting);
}

/** What a method is chosen for. */
export interface Undertaking {
  readonly space: SearchSpace;
  readonly objectives: number;
  readonly trials: number;
  readonly hasBudget: boolean;
}

/** The method for an undertaking, and why that one. */
export function suggestedMethod(undertaking: Undertaking): { readonly method: MethodName; readonly why: string } {
  const { space, objectives, trials, hasBudget } = undertaking;
  const { parameters } = space;
  const count = parameters.length;
  const choices = parameters.filter(({ domain }) => domain.kind === "choice").length;
  const conditions = parameters.filter(({ when = [] }) => when.length > 0).length;
  if (objectives > 1) return { method: "nsga2", why: `there are ${objectives} objectives` };
  if (hasBudget) return { method: "hyperband", why: "a budget is given, so that bad points can end early" };
  const points = mostPoints(space);
  if (points === 1) return { method: "halton", why: "the space has only 1 point" };
  if (points <= trials) return { method: "halton", why: `all ${points} points can be tried in ${trials} trials` };
  if (trials < 20) {
    const few = trials === 1 ? "1 trial is" : `${trials} trials are`;
    return { method: "halton", why: `${few} too few to learn from: they are spread evenly` };
  }
  if (conditions > 0) return { method: "tpe", why: `${conditions} of ${count} parameters exist only sometimes` };
  if (choices > 0) return { method: "tpe", why: `${choices} of ${count} parameters are choices` };
  const enough = 40 * count;
  if (trials < enough)
    return { method: "tpe", why: `${trials} trials are few for ${count} numbers (CMA-ES from ${enough})` };
  return {
    method: "cma-es",
    why: `${count === 1 ? "the parameter is a number" : `all ${count} parameters are numbers`} and ${trials} trials are enough to learn how they interact`,
  };
}
