// A run on the cluster, for tests that kill it: node coordinator-program.ts <directory> <new|resume> <tasks> <longest ms>
// Prints its digest and what it told, in order, as JSON.

import { start } from "@coppice/engine";
import { cluster } from "../src/index.ts";
import { Squares } from "./squares.ts";

const [directory, how, tasks, longestMs] = process.argv.slice(2);
const search = new Squares(Number(tasks));
const run = await start({
  search,
  evaluator: new URL("./evaluators/delayed-square.ts", import.meta.url),
  context: { longestMs: Number(longestMs) },
  lookahead: 16,
  pool: cluster({ workers: 2 }),
  journal: { directory, resume: how === "resume" },
});
const { digest } = await run.finished;
process.stdout.write(JSON.stringify({ digest, told: search.told }));
