// For those who search a space of parameters by samples: what is chosen, prepared as a run.
export { prepareRecordedSampling, prepareSampling, type SamplingRecord } from "./sampling/prepare-sampling.ts";
export { sampledTuning } from "./sampling/sampled-tuning.ts";
export {
  isSampling,
  type SamplingChoices,
  type SamplingOptions,
  type SamplingPlace,
  samplingOptions,
} from "./sampling/sampling-options.ts";
export { namedTrials, retoldTrials } from "./sampling/trial-names.ts";
