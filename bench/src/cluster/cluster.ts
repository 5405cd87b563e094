import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noRedisHere } from "@coppice/cluster";
import { UsageError } from "@coppice/engine/usage-error";
import { median } from "../measure.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "../report.ts";
import { load } from "./load.ts";
import { recoverySeconds } from "./recovery.ts";
import { measureSpeed } from "./speed.ts";

/** Seconds after which BullMQ looks for a dead worker's jobs, unless told otherwise; their claims last as long. */
const BULLMQ_STALLED_SECONDS = 30;
/** Seats of the runs that weigh the coordinator: more than cores, because their tasks sleep. */
const SEATS = 16;

/** A cluster on one machine: its speed beside others, what many tasks weigh, what a death costs, how many it can feed. */
export async function clusterBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 5, progress = () => {} } = options;
  const missing = noRedisHere();
  if (missing !== undefined) throw new UsageError(`the benchmark needs a Redis: ${missing}`);
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  const folder = mkdtempSync(join(tmpdir(), "coppice-bench-cluster-"));
  try {
    await measureSpeed(join(folder, "cache"), { quick, rounds, progress }, figures, goals);
    await weighManyTasks(quick ? 2000 : 100_000, folder, figures, goals);
    progress("many tasks weighed");
    await countFeedable(quick, folder, figures);
    progress("the coordinator's cost measured");
    await timeRecovery(quick, folder, figures, goals);
    progress("recovery timed");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return benchReport("cluster", rounds, figures, goals);
}

async function weighManyTasks(
  tasks: number,
  folder: string,
  figures: Record<string, Figure>,
  goals: Goal[],
): Promise<void> {
  const weighed = await load({ tasks, ms: 0, chunk: "auto", seats: 2 }, folder);
  const many = `${tasks.toLocaleString("en")} tasks`;
  figures[`${many}: rate`] = { value: Math.round(weighed.tasksPerSecond), unit: "tasks/s" };
  figures[`${many}: coordinator, most resident`] = { value: weighed.peakRssMb, unit: "MB" };
  figures[`${many}: coordinator, held at the end`] = { value: weighed.heldMb, unit: "MB" };
  figures[`${many}: Redis, most used`] = { value: weighed.redisPeakMb, unit: "MB" };
  figures[`${many}: Redis, used at the end`] = { value: weighed.redisEndMb, unit: "MB" };
  goals.push(
    goal("coordinator: held per finished task", weighed.heldBytesPerTask, "bytes", "<=", 250),
    goal("coordinator: most resident", weighed.peakRssMb, "MB", "<=", 300),
    goal("Redis: most used", weighed.redisPeakMb, "MB", "<=", 32),
  );
}

/** From what a task costs the coordinator and Redis, how many workers keep one core of each busy. */
async function countFeedable(quick: boolean, folder: string, figures: Record<string, Figure>): Promise<void> {
  const [tasks, seats] = quick ? [200, 4] : [8000, SEATS];
  // Tasks of 10 ms travel five by five. A task of a second travels alone, and costs what any other does that travels alone.
  const runs = [
    { name: "10 ms", taskMicros: 10_000, orders: { tasks, ms: 10, chunk: "auto", seats } },
    { name: "1 s", taskMicros: 1_000_000, orders: { tasks, ms: 10, chunk: 1, seats } },
  ] as const;
  for (const { name, taskMicros, orders } of runs) {
    const { cpuMicros, redisCpuMicros } = await load(orders, folder);
    figures[`${name}: coordinator per task`] = { value: cpuMicros, unit: "µs" };
    figures[`${name}: Redis per task`] = { value: redisCpuMicros, unit: "µs" };
    figures[`${name}: workers a coordinator can feed`] = { value: Math.floor(taskMicros / cpuMicros), unit: "workers" };
    figures[`${name}: workers a Redis can feed`] = { value: Math.floor(taskMicros / redisCpuMicros), unit: "workers" };
  }
}

async function timeRecovery(
  quick: boolean,
  folder: string,
  figures: Record<string, Figure>,
  goals: Goal[],
): Promise<void> {
  // The usual patience, and the least.
  for (const patience of quick ? [2] : [10, 2]) {
    const seconds: number[] = [];
    for (let i = 0; i < (quick ? 1 : 3); i++) seconds.push(await recoverySeconds(folder, patience));
    const name = `recovery with a patience of ${patience} s`;
    figures[name] = { value: median(seconds), unit: "s" };
    goals.push(goal(`${name}, beside BullMQ's stalled interval`, median(seconds), "s", "<=", BULLMQ_STALLED_SECONDS));
  }
}
