// A run on the cluster, for tests that kill it: node coordinator-program.ts <directory> <new|resume> <tasks> <longest ms>

import { start } from "@coppice/engine";
import { cluster } from "../src/index.ts";
import { Squares } from "./squares.ts";

const [directory, how, tasks, longestMs] = process.argv.slice(2);
const run = await start({
  search: new Squares(Number(tasks)),
  evaluator: new URL("./evaluators/delayed-square.ts", import.meta.url),
  context: { longestMs: Number(longestMs) },
  lookahead: 16,
  pool: cluster({ workers: 2 }),
  journal: { directory, resume: how === "resume" },
});
const { digest } = await run.finished;
process.stdout.write(`${digest}\n`);
