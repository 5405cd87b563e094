import { runCommandLine } from "./command-line.ts";
import { outliveReaders } from "./session/standard-streams.ts";

outliveReaders();
await runCommandLine(process.argv.slice(2));
