import { RateFinder, type RateVector } from "@coppice/airspace";
import {
  controlledFlows,
  publishedModels,
  releaseProfile,
  scoreContext,
  scoreProfiles,
} from "@coppice/airspace/published";
import { alternate, median } from "../measure.ts";
import type { BenchmarkDay } from "./benchmark-day.ts";
import { distinctVectors } from "./rate-vectors.ts";

/** Candidates per second on one core, round by round. */
export interface KernelFigures {
  /** Each vector differs from the last in one flow, as in a search. */
  readonly incremental: readonly number[];
  /** Each vector differs from the last in every flow. */
  readonly allFlowsChange: readonly number[];
  readonly fullTwin: readonly number[];
  /** Speed of the last tenth of a long run over its first tenth, median of the rounds. */
  readonly drift: number;
}

/** Enough for 200 ms or so: the system counts processor time in steps of up to 10 ms. */
const INCREMENTAL = 120_000;
const TWIN = 2_400;

/**
 * Scores distinct rate vectors with the kernel and with the twin that starts from nothing, in turns. Both give the same
 * objectives, or this throws: a wrong fast answer is not worth measuring.
 */
export async function measureKernel(day: BenchmarkDay, rounds: number, scale: number): Promise<KernelFigures> {
  const task = { ...day.hotspot, mode: "per_flow" } as const;
  const prepared = new RateFinder(publishedModels(day.instance)).prepare(task);
  if (prepared === undefined) throw new Error("the benchmark day has no flows");
  const { evaluate } = prepared;
  const twin = twinScorer(day);
  const flows = day.hotspot.flows.length;
  const many = Math.ceil(INCREMENTAL * scale);
  const few = Math.ceil(TWIN * scale);
  for (const vector of distinctVectors(flows, few, 0)) {
    if (evaluate(vector) !== twin(vector)) throw new Error(`the kernel and its twin differ at ${vector}`);
  }
  let seed = 1;
  const sides = {
    incremental: () => perSecond(distinctVectors(flows, many, seed++), evaluate),
    allFlowsChange: () => perSecond(distinctVectors(flows, many, seed++, "all flows"), evaluate),
    fullTwin: () => perSecond(distinctVectors(flows, few, seed++), twin),
  };
  await alternate(1, sides); // warms every side up
  const measured = await alternate(rounds, sides);
  const drifts: number[] = [];
  for (let run = 0; run < rounds; run++) {
    const tenths = Array.from({ length: 10 }, () => distinctVectors(flows, many, seed++));
    const speeds = tenths.map((vectors) => perSecond(vectors, evaluate));
    drifts.push(speeds[9] / speeds[0]);
  }
  return { ...measured, drift: median(drifts) };
}

/** The full score of a vector: every flow scheduled, every flight counted, every term summed. */
function twinScorer({ instance, hotspot }: BenchmarkDay): (vector: RateVector) => number {
  const { volume, window } = hotspot;
  const targets = Array.from({ length: window[1] - window[0] }, (_, i) => ({ volume, bin: window[0] + i }));
  const flows = controlledFlows(instance, { ...hotspot, mode: "per_flow" });
  const context = scoreContext(instance, { flows, volumes: [volume], attention: { targets, ripples: [] } });
  return (vector) => {
    const plans = context.flows.map((flow, f) =>
      releaseProfile(flow.demand, vector[f] ?? Number.POSITIVE_INFINITY, window, instance),
    );
    return scoreProfiles(context, plans).objective;
  };
}

/** Vectors per second of this thread's own processor time, so that a busy machine changes little. */
function perSecond(vectors: readonly RateVector[], evaluate: (vector: RateVector) => number): number {
  const began = process.threadCpuUsage();
  let sum = 0;
  for (const vector of vectors) sum += evaluate(vector);
  const { user, system } = process.threadCpuUsage(began);
  if (!Number.isFinite(sum)) throw new Error("an objective is not a number");
  return (1e6 * vectors.length) / (user + system);
}
