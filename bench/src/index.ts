export { type Bench, benches } from "./benches.ts";
export { poolBench } from "./pool.ts";
export { ratesBench } from "./rates.ts";

export * from "./report.ts";
export { type TuneBenchOptions, tuneBench } from "./tune.ts";
