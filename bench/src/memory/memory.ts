import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inline, start, threads } from "@coppice/engine";
import { CountUp } from "../journal/count-up.ts";
import { type BenchOptions, type BenchReport, benchReport, goal } from "../report.ts";
import { heldBytes } from "./held-bytes.ts";

const evaluator = new URL("../journal/no-op.ts", import.meta.url);

/** What a finished task leaves in the coordinator's memory: its key's outcome, and nothing that grows besides. */
export async function memoryBench({ quick = false }: BenchOptions = {}): Promise<BenchReport> {
  const tasks = quick ? 20_000 : 1_000_000;
  const directory = mkdtempSync(join(tmpdir(), "coppice-bench-memory-"));
  try {
    const bare = await bytesPerTask(tasks, undefined);
    const journaled = await bytesPerTask(tasks, join(directory, "run"));
    return benchReport(
      "memory",
      1,
      {
        withoutJournal: { value: bare, unit: "bytes/task" },
        withJournal: { value: journaled, unit: "bytes/task" },
        tasks: { value: tasks, unit: "tasks" },
      },
      [
        goal("kept per task without journal", bare, "bytes/task", "<=", 250),
        goal("kept per task with journal", journaled, "bytes/task", "<=", 250),
      ],
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function bytesPerTask(tasks: number, directory: string | undefined): Promise<number> {
  // Once before, so that code and caches are not counted.
  await (await start({ search: new CountUp(5_000), evaluator, pool: inline() })).finished;
  const search = new WeighedAtTheEnd(tasks);
  const before = heldBytes();
  const run = await start({
    search,
    evaluator,
    pool: threads({ workers: 2, chunk: 16 }),
    ...(directory === undefined ? {} : { journal: { directory } }),
  });
  await run.finished;
  return (search.held - before) / tasks;
}

class WeighedAtTheEnd extends CountUp {
  held = 0;
  #left: number;

  constructor(total: number) {
    super(total);
    this.#left = total;
  }

  override tell(): void {
    super.tell();
    if (--this.#left === 0) this.held = heldBytes();
  }
}
