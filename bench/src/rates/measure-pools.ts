import { findRatesOnPool, RateFinder, type RateFinding, shareTables } from "@coppice/airspace";
import { publishedModels } from "@coppice/airspace/published";
import { inline, type PoolFactory, processes, start, threads } from "@coppice/engine";
import { alternate, median, medianRatio } from "../measure.ts";
import { iterationsPerMs } from "../pool/work.ts";
import type { BenchmarkDay } from "./benchmark-day.ts";
import type { SlowContext } from "./slow-evaluator.ts";

/** One point of the speed-up curve. */
export interface CurvePoint {
  readonly mode: "per_flow" | "blanket";
  readonly backend: "none" | "thread" | "process";
  /** 0: in the searching process. */
  readonly workers: number;
  /** Median wall time of a search with cold caches, the start of its workers included. */
  readonly wallMs: number;
  readonly deltaJ: number;
  readonly evaluations: number;
}

/** The same search without workers and with each number of workers of both kinds, per flow and blanket. */
export async function speedUpCurve(
  day: BenchmarkDay,
  numbers: readonly number[],
  rounds: number,
): Promise<CurvePoint[]> {
  const points: CurvePoint[] = [];
  for (const mode of ["per_flow", "blanket"] as const) {
    const task = { ...day.hotspot, mode };
    const answers = new Map<string, RateFinding>();
    const search = (name: string, pool?: PoolFactory) => async () => {
      const finder = new RateFinder(publishedModels(day.instance));
      const began = performance.now();
      const finding = pool === undefined ? finder.find(task) : (await findRatesOnPool(finder, task, pool)).finding;
      if (finding === undefined) throw new Error("the benchmark day has no flows");
      answers.set(name, finding);
      return performance.now() - began;
    };
    const crews = numbers.flatMap((workers) => [
      { name: `thread ${workers}`, backend: "thread" as const, workers, pool: threads({ workers }) },
      { name: `process ${workers}`, backend: "process" as const, workers, pool: processes({ workers }) },
    ]);
    const sides = Object.fromEntries([
      ["none 0", search("none 0")] as const,
      ...crews.map(({ name, pool }) => [name, search(name, pool)] as const),
    ]);
    await sides["none 0"](); // the first search compiles what all others use
    const walls = await alternate(rounds, sides);
    for (const { name, backend, workers } of [{ name: "none 0", backend: "none" as const, workers: 0 }, ...crews]) {
      const finding = answers.get(name);
      if (finding === undefined) throw new Error(`no answer of ${name}`);
      const { deltaJ, evaluations } = finding;
      points.push({ mode, backend, workers, wallMs: median(walls[name]), deltaJ, evaluations });
    }
  }
  return points;
}

/** The curve as a CSV file's text. */
export function curveCsv(points: readonly CurvePoint[]): string {
  const rows = points.map(({ mode, backend, workers, wallMs, deltaJ, evaluations }) =>
    [mode, backend, workers, wallMs.toFixed(3), deltaJ, evaluations].join(","),
  );
  return `${["mode,backend,workers,wall_ms,delta_j,evaluations", ...rows].join("\n")}\n`;
}

/** One search whose candidates take `costMs` on an idle core: its median wall time, and what two threads gain. */
export interface CostPoint {
  readonly costMs: number;
  readonly withoutMs: number;
  /** Speed-up from nothing, where the workers have to start first; median of the rounds. */
  readonly speedUp: number;
  /** Speed-up from the first candidate that reached a worker. */
  readonly runningSpeedUp: number;
}

/** The costs as a CSV file's text. */
export function costCsv(points: readonly CostPoint[]): string {
  const rows = points.map(({ costMs, withoutMs, speedUp, runningSpeedUp }) =>
    [costMs, withoutMs.toFixed(3), speedUp.toFixed(4), runningSpeedUp.toFixed(4)].join(","),
  );
  return `${["cost_ms,inline_ms,speed_up_2_threads_with_start,speed_up_2_threads_running", ...rows].join("\n")}\n`;
}

/** Searches with ever dearer candidates, without a pool and on two threads. */
export async function costCurve(day: BenchmarkDay, costsMs: readonly number[], rounds: number): Promise<CostPoint[]> {
  const points: CostPoint[] = [];
  const perMs = iterationsPerMs();
  for (const costMs of costsMs) {
    const iterations = Math.round(costMs * perMs);
    const running: number[] = [];
    const walls = await alternate(rounds, {
      without: async () => (await slowSearch(day, iterations, inline())).wholeMs,
      withPool: async () => {
        const { wholeMs, runningMs } = await slowSearch(day, iterations, threads({ workers: 2 }));
        running.push(runningMs);
        return wholeMs;
      },
    });
    points.push({
      costMs,
      withoutMs: median(walls.without),
      speedUp: medianRatio(walls.without, walls.withPool),
      runningSpeedUp: medianRatio(walls.without, running),
    });
  }
  return points;
}

async function slowSearch(
  day: BenchmarkDay,
  iterations: number,
  pool: PoolFactory,
): Promise<{ readonly wholeMs: number; readonly runningMs: number }> {
  const prepared = new RateFinder(publishedModels(day.instance)).prepare({ ...day.hotspot, mode: "per_flow" });
  if (prepared === undefined) throw new Error("the benchmark day has no flows");
  const { header, shared } = shareTables(prepared.tables);
  const began = performance.now();
  const run = await start({
    search: prepared.search,
    evaluator: new URL("./slow-evaluator.ts", import.meta.url),
    context: { header, iterations } satisfies SlowContext,
    shared,
    pool,
  });
  let firstStarted = Number.NaN;
  run.subscribe((event) => {
    if (event.type === "started" && Number.isNaN(firstStarted)) firstStarted = performance.now();
  });
  await run.finished;
  const ended = performance.now();
  return { wholeMs: ended - began, runningMs: ended - firstStarted };
}
