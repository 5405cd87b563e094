import { isatty } from "node:tty";
import { exitCode } from "../exit-code.ts";
import { notice } from "../print.ts";

/**
 * Asked at the start: a terminal that was closed no longer says that it is one. Node forgets that `nohup` had the signal
 * ignored, but `nohup` also takes the terminal away from what it starts.
 */
const onTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor)) && !/(^|\/)nohup$/.test(process.env._ ?? "");

/** The signals that ask this process to end. A closed terminal ends only what was using it. */
export const endingSignals: readonly NodeJS.Signals[] = [
  "SIGINT",
  "SIGTERM",
  ...(onTerminal ? ["SIGHUP" as const] : []),
];

/** The reader has gone, or the terminal was closed: it has seen enough. */
const READER_GONE: readonly (string | undefined)[] = ["EPIPE", "EIO"];

/**
 * Nobody who stops reading takes the work along: what cannot be written to standard error is not worth a run, and what
 * cannot be written to standard output is one line and an exit code.
 */
export function outliveReaders(): void {
  process.stderr.on("error", () => {});
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (READER_GONE.includes(error.code)) process.exit();
    notice(`cannot write to standard output: ${error.message}`);
    process.exit(exitCode.failed);
  });
  if (!onTerminal) process.on("SIGHUP", () => {});
}
