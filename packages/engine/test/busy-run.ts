import { start } from "../src/driver/start.ts";
import { processes } from "../src/pools/processes.ts";
import { candidate, Scripted, when } from "./searches.ts";

/** A run on one worker process that never gets past its second task. Says on stdout which process that is. */
const [, , directory = ""] = process.argv;
process.env.BUSY = "yes";
const run = await start({
  search: new Scripted(candidate("a"), candidate("b"), when(2, { kind: "done" })),
  evaluator: new URL("./evaluators/busy-on.ts", import.meta.url),
  pool: processes({ workers: 1, chunk: 1 }),
  context: { busyOn: "b" },
  journal: { directory },
});
run.subscribe((event) => {
  if (event.type === "started" && event.asks.includes(1)) process.stdout.write(`${event.worker.pid}\n`);
});
await run.finished;
