import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usDay } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { inline, processes, threads } from "@coppice/engine";
import { startPlanning } from "./plan/plan-run.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, goal } from "./report.ts";

/** The same plan of the real day with any workers and pool, and after an interruption: counts digests that differ. */
export async function planParityBench({ quick = false, progress = () => {} }: BenchOptions = {}): Promise<BenchReport> {
  const planning = { instance: quick ? cutDownDay() : usDay(), evaluations: quick ? 800 : 40_000, roots: 4, seed: 1 };
  const pools = {
    inline: inline(),
    ...(quick ? {} : { "1 thread": threads({ workers: 1 }), "2 threads": threads({ workers: 2 }) }),
    "4 threads": threads({ workers: 4 }),
    "2 processes": processes({ workers: 2 }),
  };
  const figures: Record<string, Figure> = {};
  const digests: string[] = [];
  const plans: string[] = [];
  for (const [name, pool] of Object.entries(pools)) {
    const began = performance.now();
    const { digest, result } = await startPlanning(planning, pool);
    figures[`time, ${name}`] = { value: Math.round(performance.now() - began), unit: "ms" };
    digests.push(digest);
    plans.push(JSON.stringify(result.best?.plan));
    progress(`${name}: ${digest.slice(0, 16)}`);
  }
  const directory = mkdtempSync(join(tmpdir(), "coppice-parity-"));
  try {
    const journal = { directory: join(directory, "run") };
    await startPlanning(planning, threads({ workers: 2 }), journal, 2).catch(() => {});
    const resumed = await startPlanning(planning, threads({ workers: 2 }), { ...journal, resume: true });
    digests.push(resumed.digest);
    plans.push(JSON.stringify(resumed.result.best?.plan));
    progress(`interrupted and resumed: ${resumed.digest.slice(0, 16)}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const others = (values: readonly string[]) => values.filter((value) => value !== values[0]).length;
  const unit = `of ${digests.length}`;
  return benchReport("plan-parity", 1, figures, [
    goal("digests that differ", others(digests), unit, "<=", 0),
    goal("plans that differ", others(plans), unit, "<=", 0),
  ]);
}
