import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeInstance, type Instance, usDay } from "@coppice/airspace";
import { threads } from "@coppice/engine";
import { alternate, median, medianRatio } from "./measure.ts";
import { type PlanRun, startPlanning } from "./plan/plan-run.ts";
import type { LoneRun } from "./plan-scaling/lone-planner-entry.ts";
import { planAlone } from "./plan-scaling/lone-planners.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "./report.ts";

/** How much worse two searches of the same time may be than one. */
const WORSE_THAN_ONE = 15;
/** From this time of an evaluation on, workers must pay leaf by leaf. */
const LEAF_MS = 1;

/** One way of searching in parallel, and the same amount of it for two processes that know nothing of each other. */
interface Mode {
  readonly run: PlanRun;
  readonly apart: readonly LoneRun[];
}

/** What one measurement took and found. */
interface Measured {
  readonly wall: number;
  readonly evaluations: number;
  readonly objective: number;
}

/**
 * What a second worker gains on the real day: root by root, leaf by leaf (exact rates inside the search), and in plans of
 * the same wall time. Beside it, in the same rounds, what two lone processes gain that do such work at once instead of
 * one after the other: more than the machine gives them no pool can gain. The curve goes out as CSV.
 */
export async function planScalingBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 3, progress = () => {} } = options;
  const instance = usDay();
  const folder = mkdtempSync(join(tmpdir(), "coppice-plan-scaling-"));
  const dayFile = join(folder, "day");
  writeFileSync(dayFile, encodeInstance(instance));
  const rows = ["mode,workers,wall_seconds,evaluations,objective,control_wall_seconds,gain_against_control"];
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  for (const [mode, { run, apart }] of Object.entries(modesOf(instance, quick))) {
    const measured = { one: [] as Measured[], two: [] as Measured[] };
    const cpu = { one: [] as number[], two: [] as number[] };
    const used = { one: [] as number[], two: [] as number[] };
    const busy: number[] = [];
    let evaluationMs = 0;
    const ours = (side: "one" | "two", workers: number) => async () => {
      const of = await planned(run, workers);
      measured[side].push(of);
      cpu[side].push(of.cpu);
      used[side].push(of.cpu / of.wall);
      if (side === "two") busy.push(of.busySeconds / of.wall / workers);
      evaluationMs = of.evaluationMs;
      progress(`${mode}, ${workers} workers: ${of.wall.toFixed(1)} s, J ${of.objective.toFixed(1)}`);
      return of.wall;
    };
    const control = (atOnce: boolean) => async () => {
      const { wallSeconds } = await planAlone(dayFile, apart, atOnce);
      progress(`${mode}, two processes ${atOnce ? "at once" : "one after the other"}: ${wallSeconds.toFixed(1)} s`);
      return wallSeconds;
    };
    const walls = await alternate(rounds, {
      one: ours("one", 1),
      two: ours("two", 2),
      apart: control(false),
      together: control(true),
    });
    const gains = walls.one.map((wall, round) => wall / walls.two[round]);
    const possible = walls.apart.map((wall, round) => wall / walls.together[round]);
    for (let round = 0; round < rounds; round++) {
      const against = (gains[round] / possible[round]).toFixed(3);
      rows.push(rowOf(mode, 1, measured.one[round], `${walls.apart[round].toFixed(3)},`));
      rows.push(rowOf(mode, 2, measured.two[round], `${walls.together[round].toFixed(3)},${against}`));
    }
    figures[`${mode}, 1 worker`] = { value: median(walls.one), unit: "s" };
    figures[`${mode}, 2 workers`] = { value: median(walls.two), unit: "s" };
    figures[`${mode}, two processes one after the other`] = { value: median(walls.apart), unit: "s" };
    figures[`${mode}, two processes at once`] = { value: median(walls.together), unit: "s" };
    figures[`${mode}, what two processes gain at once`] = { value: median(possible), unit: "×" };
    figures[`${mode}, gain of 2 workers against that`] = { value: medianRatio(gains, possible), unit: "×" };
    figures[`${mode}, processor time of 2 workers against 1`] = { value: medianRatio(cpu.two, cpu.one), unit: "×" };
    figures[`${mode}, processors busy with 1 worker`] = { value: median(used.one), unit: "cores" };
    figures[`${mode}, processors busy with 2 workers`] = { value: median(used.two), unit: "cores" };
    figures[`${mode}, part of the time that 2 workers evaluate`] = { value: median(busy), unit: "of 1" };
    goals.push(goal(`2 workers against 1, ${mode}`, median(gains), "×", ">=", 1.8));
    if (mode === "leaf") goals.push(goal("time of an evaluation, leaf", evaluationMs, "ms", ">=", LEAF_MS));
  }
  rmSync(folder, { recursive: true });
  const worse = await sameTime(quick ? 1 : 10, quick ? 300 : 2000);
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
      const one = await planned({ ...run, roots: 1 }, 1);
      const two = await planned({ ...run, roots: 2 }, 2);
      rows.push(rowOf("same time", 1, one, ","), rowOf("same time", 2, two, ","));
      progress(`same time, seed ${seed}: J ${one.objective.toFixed(1)} on 1 worker, ${two.objective.toFixed(1)} on 2`);
      sums.one += one.objective;
      sums.two += two.objective;
    }
    return { one: sums.one / seeds, two: sums.two / seeds };
  }
}

function rowOf(mode: string, workers: number, { wall, evaluations, objective }: Measured, control: string): string {
  return `${mode},${workers},${wall.toFixed(3)},${evaluations},${objective},${control}`;
}

/** Plans on so many threads; all times in seconds but that of an evaluation. */
async function planned(run: PlanRun, workers: number) {
  const began = performance.now();
  const before = process.cpuUsage();
  const { result, evaluationMs, busyMs } = await startPlanning(run, threads({ workers }));
  const wall = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const objective = result.best?.score.objective ?? Number.NaN;
  const { evaluations } = result;
  return { wall, cpu: (user + system) / 1e6, busySeconds: busyMs / 1000, evaluations, objective, evaluationMs };
}

/** Root by root: two searches that share the evaluations. Leaf by leaf: one tree whose plans get exact rates in workers. */
function modesOf(instance: Instance, quick: boolean): Readonly<Record<string, Mode>> {
  const commits = { mode: "episode", window: 8, hotspotsAtOnce: 1, commitsPerRound: 1 } as const;
  const episode = { maxRegulations: 6 };
  const root = { evaluations: quick ? 800 : 400_000, roots: 2, seed: 1 };
  const leaf = { evaluations: quick ? 2000 : 240_000, roots: 1, seed: 1, episode, commits };
  return {
    root: { run: { instance, ...root }, apart: halves(root) },
    leaf: { run: { instance, ...leaf }, apart: halves(leaf) },
  };
}

/** Two lone searches, each with half of the evaluations. */
function halves(run: LoneRun): LoneRun[] {
  return [run.seed, run.seed + 10_000].map((seed) => ({ ...run, seed, roots: 1, evaluations: run.evaluations / 2 }));
}
