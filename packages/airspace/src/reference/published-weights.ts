import { z } from "zod";
import type { ReferenceWeights } from "./weights.ts";

/** The published planner's names of its weights. */
const names = {
  alpha_gt: "alphaTarget",
  alpha_rip: "alphaRipple",
  alpha_ctx: "alphaContext",
  beta_gt: "betaTarget",
  beta_rip: "betaRipple",
  beta_ctx: "betaContext",
  gamma_gt: "gammaTarget",
  gamma_rip: "gammaRipple",
  gamma_ctx: "gammaContext",
  lambda_delay: "lambdaDelay",
  theta_share: "thetaShare",
  eta_spill: "etaSpill",
  class_tolerance_w: "classToleranceBins",
} as const satisfies Readonly<Record<string, keyof ReferenceWeights>>;

/** Weights under the published names; others are refused. */
export const publishedWeightsShape = z.partialRecord(z.enum(Object.keys(names) as (keyof typeof names)[]), z.number());

/** Weights under their names here. */
export function weightsOfPublished(published: z.infer<typeof publishedWeightsShape>): Partial<ReferenceWeights> {
  return Object.fromEntries(
    Object.entries(published).map(([name, value]) => [names[name as keyof typeof names], value]),
  );
}
