import { writeFileSync } from "node:fs";
import { RateFinder } from "@coppice/airspace";
import { publishedModels } from "@coppice/airspace/published";
import { median, medianRatio } from "./measure.ts";
import { type BenchmarkDay, benchmarkDay } from "./rates/benchmark-day.ts";
import { breakEvenMs } from "./rates/break-even.ts";
import { measureKernel } from "./rates/measure-kernel.ts";
import { type CostPoint, type CurvePoint, costCsv, costCurve, curveCsv, speedUpCurve } from "./rates/measure-pools.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, goal } from "./report.ts";

/** What the published planner manages on one core, on an instance of the same size. */
const PUBLISHED_PER_SECOND = 77;
const WORKERS = [1, 2, 4];
const COSTS_MS = [0.03, 0.1, 0.3, 1, 3, 10, 30];

/** How fast rate vectors are scored, against the full twin, and from when on workers pay. Reference semantics. */
export async function ratesBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 5, progress = () => {} } = options;
  const scale = quick ? 0.02 : 1;
  const day = benchmarkDay();
  const figures: Record<string, Figure> = dayFigures(day);

  const kernel = await measureKernel(day, rounds, scale);
  const perSecond = median(kernel.incremental);
  const overTwin = medianRatio(kernel.incremental, kernel.fullTwin);
  figures["candidates, one flow changes"] = { value: Math.round(perSecond), unit: "/s per core" };
  figures["candidates, all flows change"] = { value: Math.round(median(kernel.allFlowsChange)), unit: "/s per core" };
  figures["candidates, full twin"] = { value: Math.round(median(kernel.fullTwin)), unit: "/s per core" };
  figures["published planner, for comparison"] = { value: PUBLISHED_PER_SECOND, unit: "/s per core" };
  progress("kernel measured");

  const curve = await speedUpCurve(day, quick ? [2] : WORKERS, rounds);
  for (const { mode, backend, workers, wallMs } of curve) {
    const where = workers === 0 ? "no workers" : `${workers} ${backend}`;
    figures[`search ${mode}, ${where}`] = { value: round(wallMs), unit: "ms" };
  }
  if (options.csvFile !== undefined) writeFileSync(options.csvFile, curveCsv(curve));
  progress("speed-up curve measured");

  const costs = quick ? COSTS_MS.slice(0, 1) : COSTS_MS;
  const points = await costCurve(day, costs, rounds);
  for (const { costMs, withoutMs, speedUp, runningSpeedUp } of points) {
    figures[`candidates of ${costMs} ms, inline`] = { value: round(withoutMs), unit: "ms" };
    figures[`candidates of ${costMs} ms, 2 threads with their start`] = { value: round(speedUp), unit: "× inline" };
    figures[`candidates of ${costMs} ms, 2 threads running`] = { value: round(runningSpeedUp), unit: "× inline" };
  }
  Object.assign(
    figures,
    payingCost("a running pool pays", points, ({ runningSpeedUp }) => runningSpeedUp),
    payingCost("a pool pays, its start included,", points, ({ speedUp }) => speedUp),
  );
  if (options.csvFile !== undefined) writeFileSync(options.csvFile.replace(/(\.csv)?$/, "-costs.csv"), costCsv(points));
  progress("candidate costs measured");

  return benchReport("rates", rounds, figures, [
    goal("candidates per second and core", perSecond, "/s", ">=", 40_000),
    goal("against the full twin in the same run", overTwin, "×", ">=", 20),
    goal("drift: last tenth of a long run against its first", kernel.drift, "×", ">=", 0.9),
    goal("answers that differ between pools", differing(curve), "answers", "<=", 0),
  ]);
}

/** The candidate cost from which on a pool was faster, or that it was not at the dearest one measured. */
function payingCost(
  what: string,
  points: readonly CostPoint[],
  speedUp: (point: CostPoint) => number,
): Record<string, Figure> {
  const cost = breakEvenMs(points.map((point) => ({ costMs: point.costMs, speedUp: speedUp(point) })));
  return cost === undefined
    ? { [`${what} at a candidate cost above`]: { value: points[points.length - 1].costMs, unit: "ms" } }
    : { [`${what} from a candidate cost of`]: { value: round(cost), unit: "ms" } };
}

function dayFigures({ instance, hotspot }: BenchmarkDay): Record<string, Figure> {
  const prepared = new RateFinder(publishedModels(instance)).prepare({ ...hotspot, mode: "per_flow" });
  return {
    flights: { value: instance.flightIds.length, unit: "flights" },
    intervals: { value: instance.visitVolume.length, unit: "intervals" },
    requests: { value: prepared?.tables.requestFlight.length ?? 0, unit: "requests" },
  };
}

/** Points of the curve whose ΔJ or evaluations are not those of the search without workers. */
function differing(curve: readonly CurvePoint[]): number {
  return curve.filter((point) => {
    const serial = curve.find(({ mode, workers }) => mode === point.mode && workers === 0);
    return serial?.deltaJ !== point.deltaJ || serial.evaluations !== point.evaluations;
  }).length;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
