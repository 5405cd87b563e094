import { start } from "../../src/driver/start.ts";
import { processes } from "../../src/pools/processes.ts";
import { threads } from "../../src/pools/threads.ts";
import { candidate, Scripted } from "../searches.ts";

/** `program.ts <start|resume> <directory> <pool> <count>`: squares; how it failed is one line. */
const [, , how, directory = "", pool, count] = process.argv;
try {
  const run = await start({
    search: new Scripted(...Array.from({ length: Number(count) }, (_, n) => candidate(`square-${n}`, n)), (heard) =>
      heard.length < Number(count) ? { kind: "wait" } : { kind: "done" },
    ),
    evaluator: new URL("../evaluators/held-square.ts", import.meta.url),
    pool: pool === "threads" ? threads({ workers: 2 }) : processes({ workers: 2 }),
    timeoutMs: Number(process.env.TIMEOUT_MS ?? 0),
    journal: { directory, resume: how === "resume", lockStaleMs: Number(process.env.LOCK_STALE_MS ?? 30_000) },
  });
  await run.finished;
} catch (error) {
  const { name, message } = error as Error;
  process.stderr.write(`${message}\n`);
  process.exitCode = name === "UsageError" ? 2 : 1;
}
