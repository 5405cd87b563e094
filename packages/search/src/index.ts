// Searches that know nothing of time or workers: a list, a tree search, an evolution of points, a tournament of parameters, a space of them.

export { differentialEvolution, type EvolutionOptions, type Evolved } from "./evolution/differential-evolution.ts";
export { generated, type SearchGenerator, type Yielded } from "./generated/generated-search.ts";
export { Mcts } from "./mcts/mcts.ts";
export { defaultMctsOptions, type MctsBudget, type MctsOptions } from "./mcts/mcts-options.ts";
export type { EdgeStatistics, Found, MctsResult } from "./mcts/mcts-result.ts";
export type { PriorNoise, Problem } from "./mcts/problem.ts";
export type { PathChoice } from "./mcts/tree.ts";
export * from "./samplers/method.ts";
export type { Sampler, SamplerSetting, Trial } from "./samplers/trial.ts";
export { checkedSpace } from "./space/check-space.ts";
export * from "./space/define-space.ts";
export { ruleOf } from "./space/rule.ts";
export {
  type Condition,
  type Constraint,
  type NamedValues,
  type Point,
  placeOf,
  pointOf,
  type SearchSpace,
  type SpaceParameter,
} from "./space/search-space.ts";
export { type BestPoint, type SpaceOptions, spaceSearch } from "./space/space-search.ts";
export { CrossValidation, type CrossValidationOptions, type Fold } from "./studies/cross-validation.ts";
export { HorizonStudies, type HorizonStudiesOptions } from "./studies/horizon-studies.ts";
export { type Budget, type HyperbandOptions, hyperband, rungCandidate } from "./studies/hyperband.ts";
export { importances } from "./studies/importance.ts";
export { type Answer, type EarlierTrial, type StudyOptions, study } from "./studies/study.ts";
export { type Goal, readValues, type StudyResult, type TrialRow } from "./studies/study-result.ts";
export * from "./sweep/sweep.ts";
export * from "./tournament/candidate-values.ts";
export { configurationKey } from "./tournament/configuration-key.ts";
export * from "./tournament/news.ts";
export * from "./tournament/parameter.ts";
export * from "./tournament/rounds.ts";
export * from "./tournament/tournament.ts";
