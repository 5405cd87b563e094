import {
  controlledFlows,
  RateFinder,
  type RateVector,
  referenceModels,
  releasePlan,
  scoreContext,
  scorePlans,
} from "@coppice/airspace";
import type { BenchmarkDay } from "./benchmark-day.ts";
import { distinctVectors } from "./rate-vectors.ts";

/** Candidates per second on one core, every round a median of its own. */
export interface KernelFigures {
  readonly incremental: readonly number[];
  readonly allFlowsChange: readonly number[];
  readonly fullTwin: readonly number[];
  /** Speed of the last tenth of a long run over its first tenth. */
  readonly drift: number;
}

const INCREMENTAL = 40_000;
const TWIN = 60;

/**
 * Scores distinct rate vectors with the kernel and with the twin that starts from nothing, in turns. Both give the same
 * objectives, or this throws: a wrong fast answer is not worth measuring.
 */
export function measureKernel(day: BenchmarkDay, rounds: number): KernelFigures {
  const task = { ...day.hotspot, mode: "per_flow" } as const;
  const prepared = new RateFinder(referenceModels(day.instance)).prepare(task);
  if (prepared === undefined) throw new Error("the benchmark day has no flows");
  const twin = twinScorer(day);
  const flows = day.hotspot.flows.length;
  const incremental: number[] = [];
  const allFlowsChange: number[] = [];
  const fullTwin: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const sweep = distinctVectors(flows, INCREMENTAL, round);
    const fast = perSecond(sweep, prepared.evaluate);
    const jumps = perSecond(distinctVectors(flows, INCREMENTAL / 4, round, "all flows"), prepared.evaluate);
    const sample = sweep.slice(0, TWIN);
    const slow = perSecond(sample, twin);
    for (const vector of sample) {
      if (prepared.evaluate(vector) !== twin(vector)) throw new Error(`the kernel and its twin differ at ${vector}`);
    }
    if (round === 0) continue; // warms both sides up
    incremental.push(fast);
    allFlowsChange.push(jumps);
    fullTwin.push(slow);
  }
  const long = Array.from({ length: 10 }, (_, tenth) => distinctVectors(flows, INCREMENTAL, 1_000 + tenth));
  const tenths = long.map((vectors) => perSecond(vectors, prepared.evaluate));
  return { incremental, allFlowsChange, fullTwin, drift: tenths[9] / tenths[0] };
}

/** The full score of a vector: every flow scheduled, every flight counted, every term summed. */
function twinScorer({ instance, hotspot }: BenchmarkDay): (vector: RateVector) => number {
  const { volume, window } = hotspot;
  const targets = Array.from({ length: window[1] - window[0] }, (_, i) => ({ volume, bin: window[0] + i }));
  const flows = controlledFlows(instance, { ...hotspot, mode: "per_flow" });
  const context = scoreContext(instance, { flows, volumes: [volume], attention: { targets, ripples: [] } });
  return (vector) => {
    const plans = context.flows.map((flow, f) =>
      releasePlan(flow.demand, vector[f] ?? Number.POSITIVE_INFINITY, window, instance),
    );
    return scorePlans(context, plans).objective;
  };
}

function perSecond(vectors: readonly RateVector[], evaluate: (vector: RateVector) => number): number {
  const start = process.hrtime.bigint();
  let sum = 0;
  for (const vector of vectors) sum += evaluate(vector);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (!Number.isFinite(sum)) throw new Error("an objective is not a number");
  return vectors.length / seconds;
}
