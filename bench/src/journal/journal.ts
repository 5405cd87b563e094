import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inline, type PoolFactory, start, threads } from "@coppice/engine";
import { JOURNAL_NAME } from "@coppice/engine/records";
import { alternate, median } from "../measure.ts";
import { type BenchOptions, type BenchReport, benchReport, goal } from "../report.ts";
import { CountUp } from "./count-up.ts";

const evaluator = new URL("./no-op.ts", import.meta.url);

/** What the engine itself costs: writing down, telling, replaying. Evaluations are no-ops. */
export async function journalBench({ rounds = 5, quick = false }: BenchOptions = {}): Promise<BenchReport> {
  const tasks = quick ? 5_000 : 100_000;
  const directory = mkdtempSync(join(tmpdir(), "coppice-bench-journal-"));
  let number = 0;
  const fresh = () => join(directory, String(number++));
  const pair = () => threads({ workers: 2, chunk: 16 });
  try {
    const measured = await alternate(rounds, {
      inlineJournal: () => microsPerTask(tasks, inline(), fresh()),
      threadsJournal: () => microsPerTask(tasks, pair(), fresh()),
      threadsBare: () => microsPerTask(tasks, pair(), undefined),
    });
    const recorded = fresh();
    await microsPerTask(tasks, inline(), recorded);
    const replays = await alternate(rounds, { replay: () => replayMs(tasks, recorded) });
    const inlineUs = median(measured.inlineJournal);
    const journalUs = median(measured.threadsJournal);
    const bareUs = median(measured.threadsBare);
    const replay = median(replays.replay);
    const bytes = statSync(join(recorded, JOURNAL_NAME)).size / tasks;
    return benchReport(
      "journal",
      rounds,
      {
        outcomesPerSecond: { value: 1e6 / inlineUs, unit: "outcomes/s" },
        inlineWithJournal: { value: inlineUs, unit: "µs/evaluation" },
        threadsWithJournal: { value: journalUs, unit: "µs/evaluation" },
        threadsWithoutJournal: { value: bareUs, unit: "µs/evaluation" },
        replay: { value: replay, unit: "ms" },
        journalSize: { value: bytes, unit: "bytes/evaluation" },
        tasks: { value: tasks, unit: "tasks" },
      },
      [
        goal("outcomes written and told", 1e6 / inlineUs, "outcomes/s", ">=", 50_000),
        goal("reopening and replaying", replay, "ms", "<", 1000),
        goal("2 threads, chunk 16, with journal", journalUs, "µs/evaluation", "<", 15),
        goal("2 threads, chunk 16, without journal", bareUs, "µs/evaluation", "<", 10),
        goal("inline, with journal", inlineUs, "µs/evaluation", "<", 10),
      ],
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** From the first started task to the end: the start of the workers is not the engine's cost per evaluation. */
async function microsPerTask(tasks: number, pool: PoolFactory, directory: string | undefined): Promise<number> {
  const run = await start({
    search: new CountUp(tasks),
    evaluator,
    pool,
    ...(directory === undefined ? {} : { journal: { directory } }),
  });
  let began = Number.NaN;
  const stop = run.subscribe((event) => {
    if (event.type !== "started") return;
    began = performance.now();
    stop();
  });
  await run.finished;
  return ((performance.now() - began) * 1000) / tasks;
}

async function replayMs(tasks: number, directory: string): Promise<number> {
  const began = performance.now();
  const run = await start({
    search: new CountUp(tasks),
    evaluator,
    pool: inline(),
    journal: { directory, resume: true },
  });
  await run.finished;
  return performance.now() - began;
}
