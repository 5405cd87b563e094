import type { ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { cluster, clusterPlace, PrivateRedis } from "@coppice/cluster";
import { start } from "@coppice/engine";
import { CountUp } from "../journal/count-up.ts";
import { startWorker } from "./sides.ts";

const TASKS = 60;
const TASK_MS = 200;
/** The worker dies when so many have been told. */
const DEATH = 10;

/** Seconds from a worker's death in a task until that task's outcome is told: somebody else has done it. */
export async function recoverySeconds(folder: string, patienceSeconds: number): Promise<number> {
  await using redis = await PrivateRedis.start();
  const patience = { COPPICE_PATIENCE: String(patienceSeconds) };
  const workers: ChildProcess[] = [];
  try {
    for (let i = 0; i < 2; i++) {
      workers.push(await startWorker(redis.url, join(folder, "cache"), ["--concurrency", "1"], patience));
    }
    const run = await start({
      search: new CountUp(TASKS),
      evaluator: new URL("./sleeper.ts", import.meta.url),
      context: { ms: TASK_MS },
      lookahead: 16,
      pool: cluster({ workers: 2 }, clusterPlace({ redis: redis.url }, patience)),
      journal: { directory: join(mkdtempSync(join(folder, "recovery-")), "run") },
    });
    const tellsAt: number[] = [];
    let diedAt = Number.NaN;
    run.subscribe((event) => {
      if (event.type !== "told") return;
      tellsAt.push(performance.now());
      if (tellsAt.length !== DEATH) return;
      diedAt = performance.now();
      workers[0].kill("SIGKILL");
    });
    await run.finished;
    // Outcomes are told in order: all wait for the lost one, and it ends the longest silence.
    const after = tellsAt.slice(DEATH);
    const silences = after.map((at, i) => at - (i === 0 ? diedAt : after[i - 1]));
    return (after[silences.indexOf(Math.max(...silences))] - diedAt) / 1000;
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
  }
}
