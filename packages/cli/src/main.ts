import { runCommandLine } from "./command-line.ts";
import { exitCode } from "./exit-code.ts";
import { notice } from "./print.ts";
import { outliveReaders } from "./session/standard-streams.ts";

outliveReaders();
// Without this Node ends with a warning of its own, and 13. Whoever knows better what is awaited listens too, and says so.
const onIdle = (): void => {
  if (process.listenerCount("beforeExit") > 1) return;
  notice("nothing is left to run, but the command is not finished: it waits for something that can no longer happen");
  process.exit(exitCode.failed);
};
process.on("beforeExit", onIdle);
await runCommandLine(process.argv.slice(2));
process.off("beforeExit", onIdle);
