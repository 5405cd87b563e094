import { writeFileSync } from "node:fs";
import { type Instance, usDay } from "@coppice/airspace";
import { threads } from "@coppice/engine";
import { type PlanRun, startPlanning } from "./plan/plan-run.ts";
import {
  alternate,
  type BenchOptions,
  type BenchReport,
  benchReport,
  type Figure,
  type Goal,
  goal,
  median,
  medianRatio,
} from "./report.ts";

/** How much worse two searches of the same time may be than one. */
const WORSE_THAN_ONE = 15;
/** From this time of an evaluation on, workers must pay leaf by leaf. */
const LEAF_MS = 1;

/**
 * What a second worker gains on the real day: root by root, leaf by leaf (exact rates inside the search), and in plans of
 * the same wall time. The curve goes out as CSV.
 */
export async function planScalingBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 3, progress = () => {} } = options;
  const instance = usDay();
  const rows = ["mode,workers,wall_seconds,evaluations,objective"];
  const timed = async (mode: string, run: PlanRun, workers: number) => {
    const began = performance.now();
    const cpu = process.cpuUsage();
    const { result, evaluationMs } = await startPlanning(run, threads({ workers }));
    const wall = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const used = (user + system) / 1e6;
    const objective = result.best?.score.objective ?? Number.NaN;
    rows.push(`${mode},${workers},${wall.toFixed(3)},${result.evaluations},${objective}`);
    progress(`${mode}, ${workers} workers: ${wall.toFixed(1)} s, J ${objective.toFixed(1)}`);
    return { wall, cpu: used, objective, evaluationMs };
  };
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  for (const [mode, run] of Object.entries(runsOf(instance, quick))) {
    const cpu: Record<string, number[]> = { one: [], two: [] };
    let evaluationMs = 0;
    const side = (name: "one" | "two", workers: number) => async () => {
      const measured = await timed(mode, run, workers);
      cpu[name].push(measured.cpu);
      evaluationMs = measured.evaluationMs;
      return measured.wall;
    };
    const walls = await alternate(rounds, { one: side("one", 1), two: side("two", 2) });
    figures[`${mode}, 1 worker`] = { value: median(walls.one), unit: "s" };
    figures[`${mode}, 2 workers`] = { value: median(walls.two), unit: "s" };
    figures[`${mode}, processor time of 2 workers against 1`] = { value: medianRatio(cpu.two, cpu.one), unit: "×" };
    goals.push(goal(`2 workers against 1, ${mode}`, medianRatio(walls.one, walls.two), "×", ">=", 1.8));
    if (mode === "leaf") goals.push(goal("time of an evaluation, leaf", evaluationMs, "ms", ">=", LEAF_MS));
  }
  const worse = await sameTime(quick ? 2 : 10, quick ? 300 : 2000);
  figures["J of 1 search on 1 worker, same time"] = { value: worse.one, unit: "J" };
  figures["J of 2 searches on 2 workers, same time"] = { value: worse.two, unit: "J" };
  goals.push(goal("J of 2 above 1, same time", worse.two - worse.one, "J", "<=", WORSE_THAN_ONE));
  if (options.csvFile !== undefined) writeFileSync(options.csvFile, `${rows.join("\n")}\n`);
  return benchReport("plan-scaling", rounds, figures, goals);

  /** Mean J over seeds of one search and of two at once, each with the same time. */
  async function sameTime(seeds: number, timeMs: number): Promise<{ readonly one: number; readonly two: number }> {
    const sums = { one: 0, two: 0 };
    for (let seed = 1; seed <= seeds; seed++) {
      const run = { instance, seed, timeMs, evaluations: Number.MAX_SAFE_INTEGER };
      sums.one += (await timed("same time", { ...run, roots: 1 }, 1)).objective;
      sums.two += (await timed("same time", { ...run, roots: 2 }, 2)).objective;
    }
    return { one: sums.one / seeds, two: sums.two / seeds };
  }
}

/** Root by root: two searches that share the evaluations. Leaf by leaf: one tree whose plans get exact rates in workers. */
function runsOf(instance: Instance, quick: boolean): Readonly<Record<string, PlanRun>> {
  const commits = { mode: "episode", window: 8, hotspotsAtOnce: 1, commitsPerRound: 1 } as const;
  const episode = { maxRegulations: 6 };
  return {
    root: { instance, evaluations: quick ? 800 : 200_000, roots: 2, seed: 1 },
    leaf: { instance, evaluations: quick ? 3000 : 60_000, roots: 1, seed: 1, episode, commits },
  };
}
