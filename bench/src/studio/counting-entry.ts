// A run in a process of its own: `node counting-entry.ts <directory> <tasks> <busy ms>`; prints its evaluations per second.
import { inline, start } from "@coppice/engine";
import { CountUp } from "../journal/count-up.ts";

const [directory, tasks, busyMs] = process.argv.slice(2);
const run = await start({
  search: new CountUp(Number(tasks)),
  evaluator: new URL("./busy-evaluator.ts", import.meta.url),
  context: Number(busyMs),
  pool: inline(),
  journal: { directory },
});
const began = performance.now();
await run.finished;
console.log((1000 * Number(tasks)) / (performance.now() - began));
