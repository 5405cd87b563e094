import { writeFileSync } from "node:fs";
import { type Instance, usDay } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { measureEquivalentSpeed, quickExtent, wholeExtent } from "./plan-scaling/equivalent-speed.ts";
import { CURVE_HEAD, measureTwoWorkers, planned, rowOf } from "./plan-scaling/two-workers.ts";
import { type BenchOptions, type BenchReport, benchReport, goal } from "./report.ts";

/** How much worse two searches of the same time may be than one. */
const WORSE_THAN_ONE = 15;

/**
 * What more workers gain on the real day: what a second one gains, by walkers, root by root and leaf by leaf; how many
 * evaluations of one search walkers are worth that search together; and plans of the same wall time. The curve goes out
 * as CSV.
 */
export async function planScalingBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 3, progress = () => {} } = options;
  const instance = quick ? cutDownDay() : usDay();
  const pair = await measureTwoWorkers(instance, quick, rounds, progress);
  const speed = await measureEquivalentSpeed(instance, quick ? quickExtent : wholeExtent, progress);
  const same = await sameTime(instance, quick ? 1 : 10, quick ? 50 : 2000, progress);
  const rows = [CURVE_HEAD, ...pair.rows, ...speed.rows, ...same.rows];
  if (options.csvFile !== undefined) writeFileSync(options.csvFile, `${rows.join("\n")}\n`);
  const figures = {
    ...pair.figures,
    ...speed.figures,
    "J of 1 search on 1 worker, same time": { value: same.one, unit: "J" },
    "J of 2 searches on 2 workers, same time": { value: same.two, unit: "J" },
  };
  const worse = goal("J of 2 above 1, same time", same.two - same.one, "J", "<=", WORSE_THAN_ONE);
  return benchReport("plan-scaling", rounds, figures, [...pair.goals, ...speed.goals, worse]);
}

/** Mean J over seeds of one search and of two at once, each with the same time. */
async function sameTime(instance: Instance, seeds: number, timeMs: number, progress: (line: string) => void) {
  const sums = { one: 0, two: 0 };
  const rows: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const run = { instance, seed, timeMs, evaluations: Number.MAX_SAFE_INTEGER };
    const one = await planned({ ...run, roots: 1 }, 1);
    const two = await planned({ ...run, roots: 2 }, 2);
    rows.push(rowOf("same time", 1, one, ","), rowOf("same time", 2, two, ","));
    progress(`same time, seed ${seed}: J ${one.objective.toFixed(1)} on 1 worker, ${two.objective.toFixed(1)} on 2`);
    sums.one += one.objective;
    sums.two += two.objective;
  }
  return { rows, one: sums.one / seeds, two: sums.two / seeds };
}
