export { type RatesBenchOptions, ratesBench } from "./rates.ts";
export * from "./report.ts";
