import { onlyGiven } from "@coppice/engine/only-given";
import type { BenchOptions, BenchReport } from "./report.ts";

export { reportText } from "./report-text.ts";

export interface Bench {
  readonly summary: string;
  /** What can be measured on its own; absent where all of it belongs together. */
  readonly parts?: readonly string[];
  readonly run: (options: BenchOptions) => Promise<BenchReport>;
}

/** A benchmark whose code is loaded only when it is run. */
function bench(summary: string, load: () => Promise<Bench["run"]>, parts?: readonly string[]): Bench {
  return { summary, ...onlyGiven({ parts }), run: async (options) => (await load())(options) };
}

/** Every benchmark by name. */
export const benches: Readonly<Record<string, Bench>> = {
  pool: bench(
    "our pools compared with piscina, workerpool and bare loops",
    async () => (await import("./pool.ts")).poolBench,
  ),
  cluster: bench(
    "a cluster compared with bare BullMQ and a local pool, its memory, its recovery, how many workers it can feed",
    async () => (await import("./cluster/cluster.ts")).clusterBench,
  ),
  command: bench(
    "an evaluator in Python: one worker compared with the same script fed by a plain loop",
    async () => (await import("./command.ts")).commandBench,
  ),
  map: bench(
    "a thousand commands of 10 ms: coppice map compared with GNU parallel and xargs",
    async () => (await import("./map.ts")).mapBench,
  ),
  journal: bench(
    "what the engine itself costs: writing down, telling, replaying",
    async () => (await import("./journal/journal.ts")).journalBench,
  ),
  memory: bench(
    "what a million tasks leave in the coordinator's memory",
    async () => (await import("./memory/memory.ts")).memoryBench,
  ),
  chaos: bench(
    "hundreds of attacks on runs (kills, power cuts, stolen locks, full disks, changed code): what was lost, repeated, wrong, left running",
    async () => (await import("./chaos/bench.ts")).chaosBench,
  ),
  start: bench(
    "how long the installed command takes to say its version and every help, compared with an empty program",
    async () => (await import("./start.ts")).startBench,
  ),
  studio: bench(
    "the studio's pages: first picture, what-if, a run that goes on, memory, what watching costs",
    async () => (await import("./studio/studio.ts")).studioBench,
  ),
  rates: bench(
    "scoring rate vectors of a traffic day, and from when on workers pay",
    async () => (await import("./rates.ts")).ratesBench,
  ),
  score: bench(
    "scoring plans of the real day by what they change, compared with scoring them from scratch",
    async () => (await import("./score.ts")).scoreBench,
  ),
  hooks: bench(
    "21 hooks one by one, in stages and all at once; start-up, overhead, the daemon",
    async () => (await import("./hooks.ts")).hooksBench,
  ),
  plan: bench(
    "how good plans of the real day are, method by method, for the same number of evaluations",
    async () => (await import("./plan.ts")).planBench,
    ["methods", "time", "speed"],
  ),
  "plan-parity": bench(
    "one plan and one digest of the real day on every pool, and after an interruption",
    async () => (await import("./plan-parity.ts")).planParityBench,
  ),
  "plan-scaling": bench(
    "what more workers gain: walkers that search together, independent roots, exact rates",
    async () => (await import("./plan-scaling.ts")).planScalingBench,
    ["workers", "root", "leaf", "walkers", "time"],
  ),
  "plan-gap": bench(
    "how far plans of a cut-down day are from the cheapest delays, by an exact solver and a bound",
    async () => (await import("./plan-gap.ts")).planGapBench,
  ),
  tune: bench(
    "evaluating a projection model's parameters, compared with doing it player by player",
    async () => (await import("./tune.ts")).tuneBench,
    ["waiting"],
  ),
  samplers: bench(
    "our samplers and Optuna's on twelve functions: ranks, regrets, what eight at once cost, time per trial",
    async () => (await import("./samplers/samplers.ts")).samplersBench,
    [
      ...["tpe", "cma-es", "window-1", "window-8", "50-trials", "200-trials", "1000-trials"],
      ...["sphere-2", "sphere-20", "turned-ellipsoid-10", "rosenbrock-5", "rastrigin-5", "branin-2", "rates-3-log"],
      ...["whole-numbers-6", "choices-8", "conditional-5", "noisy-sphere-5", "football-16"],
    ],
  ),
  tree: bench(
    "what the idea tree adds to its steps, and that late evaluations cost what early ones do",
    async () => (await import("./tree.ts")).treeBench,
  ),
  ask: bench(
    "asking models at once: batches, a thousand prompts, the pace under refusals",
    async () => (await import("./ask.ts")).askBench,
  ),
  council: bench(
    "councils with and without speculation: time, waste, the same result",
    async () => (await import("./council.ts")).councilBench,
  ),
};
