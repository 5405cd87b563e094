import { writeFileSync } from "node:fs";
import { type Instance, usDay } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { measureEquivalentSpeed, quickExtent, wholeExtent } from "./plan-scaling/equivalent-speed.ts";
import { CURVE_HEAD, measureTwoWorkers, type Part, planned, rowOf } from "./plan-scaling/two-workers.ts";
import { type BenchOptions, type BenchReport, benchReport, goal } from "./report.ts";

/** How much worse two searches of the same time may be than one. */
const WORSE_THAN_ONE = 15;

/**
 * What more workers gain on the real day: what a second one gains, by walkers, root by root and leaf by leaf (`workers`,
 * `root`, `leaf`); how many evaluations of one search walkers are worth that search together (`walkers`); and plans of the same wall time
 * (`time`). The curve goes out as CSV.
 */
export async function planScalingBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 3, progress = () => {} } = options;
  const instance = quick ? cutDownDay() : usDay();
  const parts: Record<string, () => Promise<Part>> = {
    workers: () => measureTwoWorkers(instance, "walkers", quick, rounds, progress),
    root: () => measureTwoWorkers(instance, "root", quick, rounds, progress),
    leaf: () => measureTwoWorkers(instance, "leaf", quick, rounds, progress),
    walkers: () => measureEquivalentSpeed(instance, quick ? quickExtent : wholeExtent, progress),
    time: () => sameTime(instance, quick ? 1 : 10, quick ? 50 : 2000, progress),
  };
  const measured: Part[] = [];
  for (const part of options.parts ?? Object.keys(parts)) measured.push(await parts[part]());
  if (options.csvFile !== undefined) {
    writeFileSync(options.csvFile, `${[CURVE_HEAD, ...measured.flatMap(({ rows }) => rows)].join("\n")}\n`);
  }
  const figures = Object.assign({}, ...measured.map((part) => part.figures)) as Part["figures"];
  return benchReport(
    "plan-scaling",
    rounds,
    figures,
    measured.flatMap(({ goals }) => goals),
  );
}

/** Mean J over seeds of one search and of two at once, each with the same time. */
async function sameTime(
  instance: Instance,
  seeds: number,
  timeMs: number,
  progress: (line: string) => void,
): Promise<Part> {
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
  const [one, two] = [sums.one / seeds, sums.two / seeds];
  const figures = {
    "J of 1 search on 1 worker, same time": { value: one, unit: "J" },
    "J of 2 searches on 2 workers, same time": { value: two, unit: "J" },
  };
  return { rows, figures, goals: [goal("J of 2 above 1, same time", two - one, "J", "<=", WORSE_THAN_ONE)] };
}
