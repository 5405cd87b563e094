export * from "./sweep/sweep.ts";
export * from "./tournament/candidate-values.ts";
export * from "./tournament/curves.ts";
export * from "./tournament/space.ts";
export * from "./tournament/tournament.ts";
