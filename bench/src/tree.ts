import { writeFileSync } from "node:fs";
import { median } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, goal } from "./report.ts";
import { type DryCurve, dryCurve } from "./tree/dry-curve.ts";
import { bareGit, growWaiting } from "./tree/waiting-tree.ts";

/** What the idea tree adds to the work itself: waiting in parallel, git and bookkeeping, and a long run's later part. */
export async function treeBench({
  rounds = 3,
  quick = false,
  progress,
  csvFile,
}: BenchOptions = {}): Promise<BenchReport> {
  const say = progress ?? (() => {});
  const waitMs = quick ? 200 : 1000;
  const ratios: number[] = [];
  const overheads: number[] = [];
  const bare: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const one = await growWaiting(1, 1, waitMs);
    const eight = await growWaiting(8, 4, waitMs);
    ratios.push(eight.wallMs / one.wallMs);
    const few = await growWaiting(1, 1, 0);
    const count = quick ? 4 : 13;
    const short = await growWaiting(count, 1, 0);
    cpu.push((short.cpuMs - few.cpuMs) / (count - 1));
    // Between evaluations, too: what is not a step is ours.
    overheads.push(short.wallMs / count - short.stepsMs);
    bare.push(await bareGit(quick ? 4 : 12));
    say(
      `round ${round + 1}: 8 waiting ${(ratios.at(-1) ?? 0).toFixed(2)} × one, overhead ${(overheads.at(-1) ?? 0).toFixed(0)} ms, its git alone ${(bare.at(-1) ?? 0).toFixed(0)} ms`,
    );
  }
  const curves: DryCurve[] = [];
  for (let round = 0; round < rounds; round++) {
    curves.push(await dryCurve(quick ? 200 : 1000, quick ? 6 : 11));
    say(`dry run ${round + 1}: ${curves.at(-1)?.evaluations} evaluations`);
  }
  if (csvFile !== undefined) writeFileSync(csvFile, csv(curves));
  const [first] = curves;
  const at = (stretch: number) => median(curves.map(({ stretches }) => stretches[stretch].cpuMsPerEvaluation));
  const figures: Record<string, Figure> = {
    "8 waiting, 4 at once": { value: median(ratios), unit: "× one" },
    "overhead per evaluation": { value: median(overheads), unit: "ms" },
    "CPU per evaluation, git and steps included": { value: median(cpu), unit: "ms" },
    "its git commands alone": { value: median(bare), unit: "ms" },
    "dry-run evaluations": { value: first.evaluations, unit: "evaluations" },
  };
  for (const [index, { evaluations }] of first.stretches.entries()) {
    figures[`CPU per evaluation up to ${evaluations}`] = { value: at(index), unit: "ms" };
  }
  figures["CPU of writing the manifest once, at the end"] = {
    value: median(curves.map(({ rewriteMs }) => rewriteMs)),
    unit: "ms",
  };
  // The first stretch also compiles; from the second on the code is warm.
  const growth = median(curves.map(({ stretches }) => later(stretches.slice(-3)) / later(stretches.slice(1, 4))));
  return benchReport("tree", rounds, figures, [
    goal(`8 evaluations that wait ${waitMs / 1000} s, 4 at once`, median(ratios), "× one", "<=", 2.3),
    goal("overhead per evaluation, git included", median(overheads), "ms", "<", 150),
    goal("a late evaluation against an early one, CPU", growth, "×", "<=", 1.25),
  ]);
}

function later(stretches: DryCurve["stretches"]): number {
  return median(stretches.map(({ cpuMsPerEvaluation }) => cpuMsPerEvaluation));
}

function csv(curves: readonly DryCurve[]): string {
  const rows = curves.flatMap(({ stretches }, round) =>
    stretches.map(({ evaluations, cpuMsPerEvaluation, wallMsPerEvaluation }) =>
      [round + 1, evaluations, cpuMsPerEvaluation.toFixed(5), wallMsPerEvaluation.toFixed(5)].join(","),
    ),
  );
  return `${["round,evaluations,cpu_ms_per_evaluation,wall_ms_per_evaluation", ...rows].join("\n")}\n`;
}
