import { z } from "zod";

/** Prices of the published planner's objective: classes are target, ripple and context, in that order of precedence. */
export interface PublishedWeights {
  /** Per flight above capacity in a rolling hour. */
  readonly alphaTarget: number;
  readonly alphaRipple: number;
  readonly alphaContext: number;
  /** Per flight released in another bin than demanded. */
  readonly betaTarget: number;
  readonly betaRipple: number;
  readonly betaContext: number;
  /** Per flight of change between neighbouring bins of a release profile. */
  readonly gammaTarget: number;
  readonly gammaRipple: number;
  readonly gammaContext: number;
  /** Per minute of delay. */
  readonly lambdaDelay: number;
  /** On shares of the flows that differ from their shares of demand; the term exists only above 0. */
  readonly thetaShare: number;
  /** Per flight left over at the end of the day; the term exists only above 0. */
  readonly etaSpill: number;
  /** Bins by which target and ripple cells are widened when release profiles are classed. */
  readonly classToleranceBins: number;
}

export const publishedWeights: PublishedWeights = {
  alphaTarget: 10,
  alphaRipple: 3,
  alphaContext: 0.5,
  betaTarget: 0.1,
  betaRipple: 0.5,
  betaContext: 1,
  gammaTarget: 0.1,
  gammaRipple: 0.25,
  gammaContext: 0.5,
  lambdaDelay: 0.1,
  thetaShare: 0,
  etaSpill: 0,
  classToleranceBins: 1,
};

/** A bin of a volume. */
export interface Cell {
  readonly volume: number;
  readonly bin: number;
}

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
} as const satisfies Readonly<Record<string, keyof PublishedWeights>>;

/** Weights under the published names; others are refused. */
export const publishedWeightsShape = z.partialRecord(z.enum(Object.keys(names) as (keyof typeof names)[]), z.number());

/** Weights under their names here. */
export function weightsOfPublished(published: z.infer<typeof publishedWeightsShape>): Partial<PublishedWeights> {
  return Object.fromEntries(
    Object.entries(published).map(([name, value]) => [names[name as keyof typeof names], value]),
  );
}
