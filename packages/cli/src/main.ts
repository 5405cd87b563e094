import { runCommandLine } from "./command-line.ts";
import { exitCode } from "./exit-code.ts";
import { notice } from "./print.ts";
import { outliveReaders } from "./session/standard-streams.ts";

outliveReaders();
// What a run warns of is said as everything else is; Node's own warnings stay as they are.
const asNode = process.listeners("warning");
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name === "Warning") notice(warning.message);
  else for (const listener of asNode) listener(warning);
});
// Without this Node ends with a warning of its own, and 13. Whoever knows better what is awaited listens too, and says so.
const onIdle = (): void => {
  if (process.listenerCount("beforeExit") > 1) return;
  notice("nothing is left to run, but the command is not finished: it waits for something that can no longer happen");
  process.exit(exitCode.failed);
};
process.on("beforeExit", onIdle);
await runCommandLine(process.argv.slice(2));
process.off("beforeExit", onIdle);
