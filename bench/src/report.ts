import { availableParallelism } from "node:os";

/** One measured number. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** What every benchmark can be told. */
export interface BenchOptions {
  /** Measurements of every side; the benchmark's own number if absent. */
  readonly rounds?: number;
  /** Small enough to show within seconds that everything runs; the figures mean little. */
  readonly quick?: boolean;
  /** Called with a line per finished part. */
  readonly progress?: (line: string) => void;
  /** Where to write a measured curve as CSV, for benchmarks that have one. */
  readonly csvFile?: string;
}

/** A target and whether it was met: `goal` is a comparison such as `>= 1.8`. */
export interface Goal {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly ok: boolean;
}

/** What every benchmark prints with `--json`. */
export interface BenchReport {
  readonly name: string;
  readonly node: string;
  readonly cores: number;
  readonly rounds: number;
  readonly figures: Readonly<Record<string, Figure>>;
  readonly goals: readonly Goal[];
  readonly ok: boolean;
}

/** Puts a report together; it is ok when every goal is. */
export function benchReport(
  name: string,
  rounds: number,
  figures: Readonly<Record<string, Figure>>,
  goals: readonly Goal[],
): BenchReport {
  const cores = availableParallelism();
  return { name, node: process.versions.node, cores, rounds, figures, goals, ok: goals.every(({ ok }) => ok) };
}

/** Compares a measured value with its target; a value that is not a number misses every goal. */
export function goal(name: string, value: number, unit: string, comparison: ">=" | "<=" | "<", target: number): Goal {
  const met = { ">=": value >= target, "<=": value <= target, "<": value < target }[comparison];
  return { name, value, unit, goal: `${comparison} ${target}`, ok: met };
}

/** The middle value; of an even count the mean of the middle two. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
}

/**
 * Measures every side once per round, each round beginning with another side, so that a machine that gets slower or
 * busier does so for all of them. Gives each side's measurements in round order.
 */
export async function alternate<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => number | Promise<number>>>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const measured = Object.fromEntries(names.map((side) => [side, [] as number[]])) as Record<Side, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const side = names[(round + i) % names.length];
      measured[side].push(await sides[side]());
    }
  }
  return measured;
}

/** The median over the rounds of how one side compares with another in the same round. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / theirs[round]));
}
