import { start } from "../../src/driver/start.ts";
import { processes } from "../../src/pools/processes.ts";
import { threads } from "../../src/pools/threads.ts";
import { candidate, Scripted } from "../searches.ts";

/** `escaping-program.ts <pool> <ledger>`: an evaluation that starts programs. */
const [, , pool, ledger] = process.argv;
const options = { workers: 2, chunk: 1 };
const run = await start({
  search: new Scripted(candidate("a", 1), (heard) => ({ kind: heard.length < 1 ? "wait" : "done" })),
  evaluator: new URL("../evaluators/escaping.ts", import.meta.url),
  context: { ledger },
  pool: pool === "threads" ? threads(options) : processes(options),
});
await run.finished;
