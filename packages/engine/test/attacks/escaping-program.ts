import { start } from "../../src/driver/start.ts";
import { claimProcess } from "../../src/pools/claimed-process.ts";
import { processes } from "../../src/pools/processes.ts";
import { threads } from "../../src/pools/threads.ts";
import { candidate, Scripted } from "../searches.ts";

/** `escaping-program.ts <pool> <seconds>`: an evaluation that starts programs, in a process that does nothing else. */
const [, , pool, seconds] = process.argv;
claimProcess();
const options = { workers: 2, chunk: 1 };
const run = await start({
  search: new Scripted(candidate("a", 1), (heard) => ({ kind: heard.length < 1 ? "wait" : "done" })),
  evaluator: new URL("../evaluators/escaping.ts", import.meta.url),
  context: { seconds },
  pool: pool === "threads" ? threads(options) : processes(options),
});
process.on("SIGTERM", () => run.interrupt("told to end"));
await run.finished.catch(() => {});
