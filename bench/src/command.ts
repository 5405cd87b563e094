import { spawnSync } from "node:child_process";
import { UsageError } from "@coppice/engine";
import { withOneWorker, withPlainLoop } from "./command/sides.ts";
import { alternate, median, medianRatio } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, goal } from "./report.ts";

/** What the engine adds to an evaluator in Python: one worker beside a plain loop, each with the same long-lived script. */
export async function commandBench({
  quick = false,
  rounds = quick ? 1 : 9,
  progress = () => {},
}: BenchOptions = {}): Promise<BenchReport> {
  if (spawnSync("python3", ["--version"]).status !== 0) {
    throw new UsageError("python3 is not installed: this benchmark measures an evaluator in Python");
  }
  const count = quick ? 100 : 2000;
  const measured = await alternate(rounds, {
    worker: () => withOneWorker(count),
    loop: () => withPlainLoop(count),
  });
  progress(`${rounds} rounds of ${count} tasks measured`);
  const perTask = (values: readonly number[]) => ({ value: Math.round(median(values)), unit: "µs per task" });
  return benchReport(
    "command",
    rounds,
    { "one worker": perTask(measured.worker), "a plain loop": perTask(measured.loop) },
    [goal("1 ms tasks in Python, one worker", medianRatio(measured.worker, measured.loop), "× a loop", "<=", 1.3)],
  );
}
