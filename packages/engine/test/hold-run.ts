import { join } from "node:path";
import { start } from "../src/driver/start.ts";
import { inline } from "../src/pools/in-process.ts";
import { candidate, Scripted, until } from "./searches.ts";

const [, , directory = "", resume = ""] = process.argv;
process.env.HOLD_UNTIL = join(directory, "release");
const run = await start({
  search: new Scripted(candidate("a"), until(1)),
  evaluator: new URL("./evaluators/hold.ts", import.meta.url),
  pool: inline(),
  context: { hold: true },
  journal: { directory, resume: resume === "true" },
});
process.stdout.write("started\n");
await run.finished;
