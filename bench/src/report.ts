import { availableParallelism } from "node:os";
import type { Attack, HarmKind, Toll } from "./chaos/attack.ts";

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
  /** Of benchmarks that have parts: only these. */
  readonly parts?: readonly string[];
  /** For benchmarks that draw what they do. */
  readonly seed?: number;
  /** Of chaos: how many faults in all, and which attacks; all of them if absent. */
  readonly faults?: number;
  readonly attacks?: readonly string[];
}

/** A target and whether it was met: `goal` is a comparison such as `>= 1.8`. */
export interface Goal {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly ok: boolean;
}

/** One kind of attack on runs: how often, and what it did; null for what it does not measure. */
export interface AttackFigures
  extends Pick<Toll, "tries" | "problems">,
    Readonly<Record<HarmKind, number | null>>,
    Pick<Attack, "name" | "summary" | "except"> {
  /** Why it was not made. */
  readonly skipped?: string;
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
  /** Of a benchmark that was cut down: what was left out, and so is not shown. */
  readonly partial?: string;
  /** Of chaos only. */
  readonly attacks?: readonly AttackFigures[];
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
