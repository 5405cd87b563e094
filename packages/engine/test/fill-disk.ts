import { start } from "../src/driver/start.ts";
import { inline } from "../src/pools/in-process.ts";
import { candidate, Scripted, when } from "./searches.ts";

/** Prints how many outcomes its search was told, and how it ended. */
const [, , directory = "", resume] = process.argv;
const search = new Scripted(
  Array.from({ length: 500 }, (_, i) => candidate(`k${i}`)),
  when(500, { kind: "done" }),
);
const run = await start({
  search,
  evaluator: new URL("./evaluators/echo.ts", import.meta.url),
  pool: inline(),
  lookahead: 8,
  journal: { directory, resume: resume === "resume" },
});
const end = await run.finished.then(
  () => "done",
  (error: Error) => error.message,
);
process.stdout.write(`told ${search.heard.length}\n${end}\n`);
