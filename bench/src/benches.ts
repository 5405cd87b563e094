import type { BenchOptions, BenchReport } from "./report.ts";

export { reportText } from "./report-text.ts";

export interface Bench {
  readonly summary: string;
  /** What can be measured on its own; absent where all of it belongs together. */
  readonly parts?: readonly string[];
  readonly run: (options: BenchOptions) => Promise<BenchReport>;
}

/** Every benchmark by name. Loaded only when it is run. */
export const benches: Readonly<Record<string, Bench>> = {
  pool: {
    summary: "our pools beside piscina, workerpool and bare loops",
    run: async (options) => (await import("./pool.ts")).poolBench(options),
  },
  cluster: {
    summary: "a cluster beside bare BullMQ and a local pool, its memory, its recovery, how many workers it can feed",
    run: async (options) => (await import("./cluster/cluster.ts")).clusterBench(options),
  },
  command: {
    summary: "an evaluator in Python: one worker beside the same script fed by a plain loop",
    run: async (options) => (await import("./command.ts")).commandBench(options),
  },
  map: {
    summary: "a thousand commands of 10 ms: coppice map beside GNU parallel and xargs",
    run: async (options) => (await import("./map.ts")).mapBench(options),
  },
  journal: {
    summary: "what the engine itself costs: writing down, telling, replaying",
    run: async (options) => (await import("./journal/journal.ts")).journalBench(options),
  },
  memory: {
    summary: "what a million tasks leave in the coordinator's memory",
    run: async (options) => (await import("./memory/memory.ts")).memoryBench(options),
  },
  chaos: {
    summary:
      "hundreds of attacks on runs (kills, power cuts, stolen locks, full disks, changed code): what was lost, repeated, wrong, left running",
    run: async (options) => (await import("./chaos/bench.ts")).chaosBench(options),
  },
  start: {
    summary: "how long the installed command takes to say its version and every help, beside an empty program",
    run: async (options) => (await import("./start.ts")).startBench(options),
  },
  studio: {
    summary: "the studio's pages: first picture, what-if, a run that goes on, memory, what watching costs",
    run: async (options) => (await import("./studio/studio.ts")).studioBench(options),
  },
  rates: {
    summary: "scoring rate vectors of a traffic day, and from when on workers pay",
    run: async (options) => (await import("./rates.ts")).ratesBench(options),
  },
  score: {
    summary: "scoring plans of the real day by what they change, beside scoring them from nothing",
    run: async (options) => (await import("./score.ts")).scoreBench(options),
  },
  hooks: {
    summary: "21 hooks one by one, in stages and all at once; start-up, overhead, the daemon",
    run: async (options) => (await import("./hooks.ts")).hooksBench(options),
  },
  plan: {
    summary: "how good plans of the real day are, method by method, for the same number of evaluations",
    parts: ["methods", "time", "speed"],
    run: async (options) => (await import("./plan.ts")).planBench(options),
  },
  "plan-parity": {
    summary: "one plan and one digest of the real day on every pool, and after an interruption",
    run: async (options) => (await import("./plan-parity.ts")).planParityBench(options),
  },
  "plan-scaling": {
    summary: "what more workers gain: walkers that search together, independent roots, exact rates",
    parts: ["workers", "root", "leaf", "walkers", "time"],
    run: async (options) => (await import("./plan-scaling.ts")).planScalingBench(options),
  },
  "plan-gap": {
    summary: "how far plans of a cut-down day are from the cheapest delays, by an exact solver and a bound",
    run: async (options) => (await import("./plan-gap.ts")).planGapBench(options),
  },
  tune: {
    summary: "evaluating a projection model's parameters, beside doing it player by player",
    parts: ["waiting"],
    run: async (options) => (await import("./tune.ts")).tuneBench(options),
  },
  samplers: {
    summary:
      "our samplers beside Optuna's on twelve functions: ranks, regrets, what eight at once cost, time per trial",
    // Of a kind that is not named, all: methods, windows, numbers of trials, functions.
    parts: [
      ...["tpe", "cma-es", "window-1", "window-8", "50-trials", "200-trials", "1000-trials"],
      ...["sphere-2", "sphere-20", "turned-ellipsoid-10", "rosenbrock-5", "rastrigin-5", "branin-2", "rates-3-log"],
      ...["whole-numbers-6", "choices-8", "conditional-5", "noisy-sphere-5", "football-16"],
    ],
    run: async (options) => (await import("./samplers/samplers.ts")).samplersBench(options),
  },
  tree: {
    summary: "what the idea tree adds to its steps, and that late evaluations cost what early ones do",
    run: async (options) => (await import("./tree.ts")).treeBench(options),
  },
  ask: {
    summary: "asking models at once: batches, a thousand prompts, the pace under refusals",
    run: async (options) => (await import("./ask.ts")).askBench(options),
  },
  council: {
    summary: "councils with and without speculation: time, waste, the same result",
    run: async (options) => (await import("./council.ts")).councilBench(options),
  },
};
