import { writeFileSync } from "node:fs";
import { usDay } from "@coppice/airspace";
import { threads } from "@coppice/engine";
import { startPlanning } from "./plan/plan-run.ts";
import { alternate, type BenchOptions, type BenchReport, benchReport, goal, median, medianRatio } from "./report.ts";

/** What a second worker gains when several roots plan the real day; the curve as CSV (mode, workers, wall, evaluations, J). */
export async function planScalingBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 3, progress = () => {} } = options;
  const planning = { instance: usDay(), evaluations: quick ? 800 : 80_000, roots: 2, seed: 1 };
  const rows = ["mode,workers,wall_seconds,evaluations,objective"];
  const timed = (workers: number) => async () => {
    const began = performance.now();
    const { result } = await startPlanning(planning, threads({ workers }));
    const seconds = (performance.now() - began) / 1000;
    rows.push(`root,${workers},${seconds.toFixed(3)},${result.evaluations},${result.best?.score.objective}`);
    progress(`${workers} workers: ${seconds.toFixed(1)} s`);
    return seconds;
  };
  const walls = await alternate(rounds, { one: timed(1), two: timed(2) });
  if (options.csvFile !== undefined) writeFileSync(options.csvFile, `${rows.join("\n")}\n`);
  const speedUp = medianRatio(walls.one, walls.two);
  return benchReport(
    "plan-scaling",
    rounds,
    {
      "2 roots, 1 worker": { value: median(walls.one), unit: "s" },
      "2 roots, 2 workers": { value: median(walls.two), unit: "s" },
    },
    [goal("2 workers against 1, root-parallel", speedUp, "×", ">=", 1.8)],
  );
}
