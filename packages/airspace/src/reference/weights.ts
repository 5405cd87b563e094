/** Prices of the published planner's objective: classes are target, ripple and context, in that order of precedence. */
export interface ReferenceWeights {
  /** Per flight above capacity in a rolling hour. */
  readonly alphaTarget: number;
  readonly alphaRipple: number;
  readonly alphaContext: number;
  /** Per flight released in another bin than demanded. */
  readonly betaTarget: number;
  readonly betaRipple: number;
  readonly betaContext: number;
  /** Per flight of change between neighbouring bins of a release plan. */
  readonly gammaTarget: number;
  readonly gammaRipple: number;
  readonly gammaContext: number;
  /** Per minute of delay. */
  readonly lambdaDelay: number;
  /** On shares of the flows that differ from their shares of demand; the term exists only above 0. */
  readonly thetaShare: number;
  /** Per flight left over at the end of the day; the term exists only above 0. */
  readonly etaSpill: number;
  /** Bins by which target and ripple cells are widened when release plans are classed. */
  readonly classToleranceBins: number;
}

export const referenceWeights: ReferenceWeights = {
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
