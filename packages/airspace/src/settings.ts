// What a command line says of planning before anything is planned: the choices there are, and the usual prices. Light, so
// that help does not load the planner.
export { episodePriors, stopPlaces } from "./episode/episode-options.ts";
export { defaultWeights } from "./network/weights.ts";
export { plannerParts, plannerPolicies } from "./planner/planner-options.ts";
