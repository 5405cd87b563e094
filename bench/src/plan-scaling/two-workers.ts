import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeInstance, type Instance } from "@coppice/airspace";
import { threads } from "@coppice/engine";
import { alternate, median, medianRatio } from "../measure.ts";
import { type PlanRun, startPlanning } from "../plan/plan-run.ts";
import { type Figure, type Goal, goal } from "../report.ts";
import type { LoneRun } from "./lone-planner-entry.ts";
import { planAlone } from "./lone-planners.ts";

/** From this time of an evaluation on, workers must pay leaf by leaf. */
const LEAF_MS = 1;

/** What a second worker must gain of what a second process gains that has nothing to do with the first. */
const LEAST_OF_POSSIBLE = 0.9;

/** The most of two workers' time that walkers may spend waiting for each other and for messages. */
const MOST_WAITING = 0.1;

/** Walkers that search together; two searches that share the evaluations; one tree whose plans get exact rates in workers. */
type ParallelMode = "walkers" | "root" | "leaf";

/** One way of searching in parallel, and the same amount of it for two processes that know nothing of each other. */
interface Mode {
  readonly run: PlanRun;
  readonly apart: readonly LoneRun[];
}

/** What one measurement took and found. */
interface Measured {
  readonly wall: number;
  /** From the first task's start on. */
  readonly spanSeconds: number;
  readonly evaluations: number;
  readonly objective: number;
}

/** What a part of the benchmark measured, and its curve as rows of CSV. */
export interface Part {
  readonly figures: Record<string, Figure>;
  readonly goals: Goal[];
  readonly rows: string[];
}

export const CURVE_HEAD = "mode,workers,wall_seconds,evaluations,objective,control_wall_seconds,gain_against_control";

/**
 * What a second worker gains in one mode, and beside it, in the same rounds, what two lone processes gain that do such
 * work at once instead of one after the other: more than the machine gives them no pool can gain. Both sides are timed
 * while they search: the processes from when they have the day, the workers from their first task on.
 */
export async function measureTwoWorkers(
  instance: Instance,
  mode: ParallelMode,
  quick: boolean,
  rounds: number,
  progress: (line: string) => void,
): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), "coppice-plan-scaling-"));
  const dayFile = join(folder, "day");
  writeFileSync(dayFile, encodeInstance(instance));
  const rows: string[] = [];
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  const { run, apart } = modesOf(instance, quick)[mode];
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
    if (side === "two") busy.push(of.busySeconds / of.spanSeconds / workers);
    evaluationMs = of.evaluationMs;
    progress(`${mode}, ${workers} workers: ${of.wall.toFixed(1)} s, J ${of.objective.toFixed(1)}`);
    return of.spanSeconds;
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
  const whole = (side: "one" | "two") => measured[side].map(({ wall }) => wall);
  figures[`${mode}, 1 worker, its start included`] = { value: median(whole("one")), unit: "s" };
  figures[`${mode}, 2 workers, their start included`] = { value: median(whole("two")), unit: "s" };
  figures[`${mode}, two processes one after the other`] = { value: median(walls.apart), unit: "s" };
  figures[`${mode}, two processes at once`] = { value: median(walls.together), unit: "s" };
  figures[`${mode}, what two processes gain at once`] = { value: median(possible), unit: "×" };
  figures[`${mode}, gain of 2 workers against that`] = { value: medianRatio(gains, possible), unit: "×" };
  const withStart = medianRatio(
    whole("one"),
    whole("two").map((wall, round) => wall * possible[round]),
  );
  figures[`${mode}, the same with the workers' start included`] = { value: withStart, unit: "×" };
  figures[`${mode}, processor time of 2 workers against 1`] = { value: medianRatio(cpu.two, cpu.one), unit: "×" };
  figures[`${mode}, processors busy with 1 worker`] = { value: median(used.one), unit: "cores" };
  figures[`${mode}, processors busy with 2 workers`] = { value: median(used.two), unit: "cores" };
  figures[`${mode}, part of the time that 2 workers evaluate`] = { value: median(busy), unit: "of 1" };
  if (mode === "root") goals.push(goal(`2 workers against 1, ${mode}`, median(gains), "×", ">=", 1.8));
  else {
    const part = medianRatio(gains, possible);
    goals.push(goal(`gain of 2 workers against two processes, ${mode}`, part, "×", ">=", LEAST_OF_POSSIBLE));
  }
  if (mode === "walkers") {
    const waiting = 1 - median(busy);
    goals.push(goal("part of the time that 2 workers wait, walkers", waiting, "of 1", "<", MOST_WAITING));
  }
  if (mode === "leaf") goals.push(goal("time of an evaluation, leaf", evaluationMs, "ms", ">=", LEAF_MS));
  rmSync(folder, { recursive: true });
  return { figures, goals, rows };
}

export function rowOf(
  mode: string,
  workers: number,
  { spanSeconds, evaluations, objective }: Measured,
  control: string,
): string {
  return `${mode},${workers},${spanSeconds.toFixed(3)},${evaluations},${objective},${control}`;
}

/** Plans on so many threads; all times in seconds but that of an evaluation. */
export async function planned(run: PlanRun, workers: number) {
  const began = performance.now();
  const before = process.cpuUsage();
  const { result, evaluationMs, busyMs, spanMs } = await startPlanning(run, threads({ workers }));
  const wall = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const objective = result.best?.score.objective ?? Number.NaN;
  const { evaluations } = result;
  const [busySeconds, spanSeconds] = [busyMs / 1000, spanMs / 1000];
  return { wall, cpu: (user + system) / 1e6, busySeconds, spanSeconds, evaluations, objective, evaluationMs };
}

function modesOf(instance: Instance, quick: boolean): Readonly<Record<ParallelMode, Mode>> {
  const commits = { mode: "episode", window: 8, hotspotsAtOnce: 1, commitsPerRound: 1 } as const;
  const episode = { maxRegulations: quick ? 1 : 6 };
  const shape = quick ? { walkers: 4, rounds: 3 } : { walkers: 16, rounds: 21 };
  const walkers = { evaluations: quick ? 400 : 160_000, population: shape, seed: 1 };
  const root = { evaluations: quick ? 400 : 400_000, roots: 2, seed: 1 };
  const leaf = { evaluations: quick ? 600 : 240_000, roots: 1, seed: 1, episode, commits };
  return {
    walkers: { run: { instance, ...walkers }, apart: halves(walkers) },
    root: { run: { instance, ...root }, apart: halves(root) },
    leaf: { run: { instance, ...leaf }, apart: halves(leaf) },
  };
}

/** Two lone searches, each with half of the evaluations and of the walkers. */
function halves({ population, ...run }: LoneRun): LoneRun[] {
  const half =
    population === undefined ? { roots: 1 } : { population: { ...population, walkers: population.walkers / 2 } };
  return [run.seed, run.seed + 10_000].map((seed) => ({ ...run, ...half, seed, evaluations: run.evaluations / 2 }));
}
