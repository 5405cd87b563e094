import { type Instance, makePlan, PlanEvaluator, type PlannerOptions, type Weights } from "@coppice/airspace";
import { alternate, median } from "../measure.ts";

/** What a search's time goes into, by processor time of one core. */
export interface SearchSpeed {
  readonly evaluationsPerSecond: number;
  /** Share of the time that is not spent in the evaluator: drawing, tuning decisions, the tree itself. */
  readonly overhead: number;
}

/** A call of the evaluator as it was made; undefined stands for `keep`. */
type Call = Parameters<PlanEvaluator["evaluate"]> | undefined;

/** Runs a search as it is, and its evaluator calls alone, in turns. */
export async function searchSpeed(
  instance: Instance,
  weights: Weights,
  options: PlannerOptions,
  rounds: number,
): Promise<SearchSpeed> {
  const calls = recordCalls(() => makePlan(instance, weights, options));
  const { evaluations } = options;
  const times = await alternate(rounds, {
    search: async () => processorSeconds(() => makePlan(instance, weights, options)).spent,
    evaluator: async () => processorSeconds(() => repeatCalls(instance, weights, calls)).spent,
  });
  const [search, evaluator] = [median(times.search), median(times.evaluator)];
  return { evaluationsPerSecond: evaluations / search, overhead: Math.max(0, 1 - evaluator / search) };
}

/** Notes what is asked of evaluators meanwhile. */
function recordCalls(work: () => void): Call[] {
  const calls: Call[] = [];
  const { evaluate, keep } = PlanEvaluator.prototype;
  PlanEvaluator.prototype.evaluate = function (...call) {
    calls.push(call);
    return evaluate.apply(this, call);
  };
  PlanEvaluator.prototype.keep = function () {
    calls.push(undefined);
    keep.call(this);
  };
  try {
    work();
  } finally {
    Object.assign(PlanEvaluator.prototype, { evaluate, keep });
  }
  return calls;
}

function repeatCalls(instance: Instance, weights: Weights, calls: readonly Call[]): void {
  const evaluator = new PlanEvaluator(instance, weights);
  for (const call of calls) {
    if (call === undefined) evaluator.keep();
    else evaluator.evaluate(...call);
  }
  evaluator.release();
}

/** What a piece of work results in and the processor time it takes. */
export function processorSeconds<Result>(work: () => Result): { readonly result: Result; readonly spent: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, spent: (user + system) / 1e6 };
}
