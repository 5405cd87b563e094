import { processes, threads } from "@coppice/engine";
import { alternate, median, medianRatio } from "./measure.ts";
import { bareSide, coppiceSide, piscinaSide, type Side, WORKERS, workerpoolSide } from "./pool/side.ts";
import { iterationsPerMs, type Work } from "./pool/work.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "./report.ts";

type Kind = "threads" | "processes";

const ours = { threads: "coppice threads", processes: "coppice processes" } as const;
const libraries: Readonly<Record<Kind, readonly string[]>> = {
  threads: ["piscina", "workerpool threads"],
  processes: ["workerpool processes"],
};

/** Task durations with how many make one measurement: two or three tenths of a second of work for two workers. */
const durations = [
  { ms: 0, count: 100_000 },
  { ms: 0.1, count: 5000 },
  { ms: 1, count: 500 },
  { ms: 10, count: 60 },
] as const;
const sizes = [
  { name: "64 B", bytes: 64, share: 1 },
  { name: "64 KB", bytes: 65_536, share: 0.2 },
] as const;

/** Our pools beside piscina and workerpool, and beside no pool at all: tasks of 0 to 10 ms with 64 B and 64 KB. */
export async function poolBench(options: BenchOptions = {}): Promise<BenchReport> {
  const { quick = false, rounds = quick ? 1 : 5, progress = () => {} } = options;
  const scale = quick ? 0.005 : 1;
  const perMs = iterationsPerMs();
  const figures: Record<string, Figure> = { calibration: { value: Math.round(perMs), unit: "iterations/ms" } };
  const goals: Goal[] = [];
  const sides = {
    [ours.threads]: await coppiceSide(threads({ workers: WORKERS })),
    [ours.processes]: await coppiceSide(processes({ workers: WORKERS })),
    piscina: await piscinaSide(),
    "workerpool threads": await workerpoolSide("thread"),
    "workerpool processes": await workerpoolSide("process"),
    "no pool": await bareSide(),
  };
  try {
    for (const { ms, count } of durations) {
      for (const { name: size, bytes, share } of sizes) {
        const work = { iterations: Math.round(ms * perMs), payload: "x".repeat(bytes) };
        const tasks = even(count * (ms < 1 ? share : 1) * scale);
        const rates = await measure(rounds, sides, work, tasks);
        const cell = `${ms} ms, ${size}`;
        for (const [side, values] of Object.entries(rates)) {
          figures[`${cell}: ${side}`] = { value: Math.round(median(values)), unit: "tasks/s" };
        }
        goals.push(...goalsOf(ms, size, cell, rates));
        if (ms > 0 && ms < 1) {
          // No pool is faster than none: the goal beside it can be met only where this is above it.
          figures[`${cell}: no pool against piscina`] = {
            value: medianRatio(rates["no pool"], rates.piscina),
            unit: "×",
          };
        }
        progress(`${cell} measured`);
      }
    }
    for (const kind of ["threads", "processes"] as const) {
      const drifts = await alternate(rounds, { drift: () => drift(sides[ours[kind]], perMs, 10_000 * scale) });
      goals.push(
        goal(`drift, ${kind}: last tenth of a long run against its first`, median(drifts.drift), "×", ">=", 0.9),
      );
    }
  } finally {
    await Promise.all(Object.values(sides).map((side) => side.close()));
  }
  return benchReport("pool", rounds, figures, goals);
}

/** Tasks per second of every side, round by round. */
function measure(
  rounds: number,
  sides: Readonly<Record<string, Side>>,
  work: Work,
  tasks: number,
): Promise<Record<string, number[]>> {
  const runs = Object.entries(sides).map(([name, side]) => {
    const run = async (): Promise<number> => {
      const start = performance.now();
      const doneAt = await side.run(work, tasks);
      return (tasks * 1000) / (doneAt[doneAt.length - 1] - start);
    };
    return [name, run] as const;
  });
  return alternate(rounds, Object.fromEntries(runs));
}

function goalsOf(ms: number, size: string, cell: string, rates: Readonly<Record<string, readonly number[]>>): Goal[] {
  if (ms < 1) {
    const ratio = medianRatio(rates[ours.threads], rates.piscina);
    // A text of 64 KB costs more to write down and copy than the messages that batching saves: measured, but no goal.
    return size === "64 B" ? [goal(`${cell}: threads against piscina`, ratio, "×", ">=", ms === 0 ? 8 : 1.8)] : [];
  }
  return (["threads", "processes"] as const).flatMap((kind) => {
    const best = rates[ours[kind]].map((_, round) =>
      Math.max(...libraries[kind].map((library) => rates[library][round])),
    );
    const against = goal(
      `${cell}: ${kind} against the best library`,
      medianRatio(rates[ours[kind]], best),
      "×",
      ">=",
      0.95,
    );
    if (size !== "64 B") return [against];
    const bare = medianRatio(rates[ours[kind]], rates["no pool"]);
    return [against, goal(`${cell}: ${kind} against ${WORKERS} bare loops`, bare, "×", ">=", 0.95)];
  });
}

/** Throughput of the last tenth of a long run of a small hot loop, as a part of the first tenth's. */
async function drift(side: Side, perMs: number, count: number): Promise<number> {
  const tasks = even(count);
  const tenth = Math.floor(tasks / 10);
  const start = performance.now();
  const doneAt = await side.run({ iterations: Math.round(perMs / 10), payload: "" }, tasks);
  const first = doneAt[tenth - 1] - start;
  const last = doneAt[tasks - 1] - doneAt[tasks - tenth - 1];
  return first / last;
}

/** An even number of tasks, for two workers, and a tenth of them is something. */
function even(count: number): number {
  return Math.max(20, 2 * Math.round(count / 2));
}
