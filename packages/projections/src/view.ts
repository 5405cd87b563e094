// What a page shows of a tuning, read from the run's folder: data, small, and nothing about how it is drawn.
export type { SamplingRecord } from "./sampling/prepare-sampling.ts";
export { namedTrials } from "./sampling/trial-names.ts";
export { readTunerView } from "./view/read-tuner-view.ts";
export type * from "./view/tuner-view.ts";
