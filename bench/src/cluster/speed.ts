import { alternate, median, medianRatio } from "../measure.ts";
import type { Side } from "../pool/side.ts";
import { iterationsPerMs, type Work } from "../pool/work.ts";
import { type Figure, type Goal, goal } from "../report.ts";
import { withSides } from "./sides.ts";

/** Task durations, how many make a measurement, and what the cluster should reach beside the other two. */
const durations = [
  { ms: 0.1, count: 8000, bullmq: 5, local: undefined },
  { ms: 10, count: 200, bullmq: 0.95, local: 0.85 },
  { ms: 100, count: 40, bullmq: undefined, local: 0.95 },
] as const;

/** Tasks per second of two workers of a cluster, of bare BullMQ with two, and of a local pool of two, on one machine. */
export async function measureSpeed(
  cache: string,
  { quick, rounds, progress }: { quick: boolean; rounds: number; progress: (line: string) => void },
  figures: Record<string, Figure>,
  goals: Goal[],
): Promise<void> {
  const perMs = iterationsPerMs();
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
}

/** Tasks per second. */
async function rate(side: Side, work: Work, count: number): Promise<number> {
  const from = performance.now();
  const doneAt = await side.run(work, count);
  return (count * 1000) / (doneAt[count - 1] - from);
}
