import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noRedisHere } from "@coppice/cluster";
import { UsageError } from "@coppice/engine/usage-error";
import { alternate, median, medianRatio } from "../measure.ts";
import type { Side } from "../pool/side.ts";
import { iterationsPerMs, type Work } from "../pool/work.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "../report.ts";
import { withSides } from "./sides.ts";

/** Task durations, how many make a measurement, and what the cluster should reach beside the other two. */
const durations = [
  { ms: 0.1, count: 4000, bullmq: 5, local: undefined },
  { ms: 10, count: 200, bullmq: 0.95, local: 0.85 },
  { ms: 100, count: 40, bullmq: undefined, local: 0.95 },
] as const;

/** Two workers of a cluster beside bare BullMQ with two, and beside a local pool of two, on one machine. */
export async function clusterBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 5, progress = () => {} } = options;
  const missing = noRedisHere();
  if (missing !== undefined) throw new UsageError(`the benchmark needs a Redis: ${missing}`);
  const perMs = iterationsPerMs();
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  const cache = mkdtempSync(join(tmpdir(), "coppice-bench-cluster-"));
  try {
    await withSides(cache, async (sides) => {
      for (const { ms, count, bullmq, local } of durations) {
        const work = { iterations: Math.round(ms * perMs), payload: "" };
        const tasks = Math.max(4, Math.round(count * (quick ? 0.05 : 1)));
        const rates = await alternate(rounds, {
          cluster: () => rate(sides.cluster, work, tasks),
          bullmq: () => rate(sides.bullmq, work, tasks),
          local: () => rate(sides.local, work, tasks),
        });
        for (const [side, values] of Object.entries(rates)) {
          figures[`${ms} ms: ${side}`] = { value: Math.round(median(values)), unit: "tasks/s" };
        }
        const beside = (side: "bullmq" | "local", target: number): Goal =>
          goal(`${ms} ms: cluster beside ${side}`, medianRatio(rates.cluster, rates[side]), "×", ">=", target);
        if (bullmq !== undefined) goals.push(beside("bullmq", bullmq));
        if (local !== undefined) goals.push(beside("local", local));
        progress(`${ms} ms measured`);
      }
    });
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  return benchReport("cluster", rounds, figures, goals);
}

/** Tasks per second. */
async function rate(side: Side, work: Work, count: number): Promise<number> {
  const from = performance.now();
  const doneAt = await side.run(work, count);
  return (count * 1000) / (doneAt[count - 1] - from);
}
