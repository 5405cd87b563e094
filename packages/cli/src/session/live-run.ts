import { onlyGiven } from "@coppice/engine/only-given";
import { claimProcess } from "@coppice/engine/pools";
import { writeCommandFile } from "@coppice/engine/records";
import { type EndedSession, type PreparedRun, type RunOrigin, type RunReader, runToEnd } from "@coppice/engine/session";
import { type DisplayOptions, displayFor } from "../display/display.ts";
import { exitCode } from "../exit-code.ts";
import { chosenPool } from "../options/pool-choice.ts";
import type { RunOptions, WorkOptions } from "../options/run-options.ts";
import { notice } from "../print.ts";
import { PatientDisplay } from "./patient-display.ts";
import { printEnd } from "./print-end.ts";
import { endingSignals } from "./standard-streams.ts";
import { typed } from "./typed.ts";

/** A prepared run that may have a display of its own. */
export interface ShownRun<Candidate = unknown, Value = unknown, Result = unknown>
  extends PreparedRun<Candidate, Value, Result> {
  readonly display?: (screen: DisplayOptions) => RunReader;
  /** What there is to print has been printed when it ends. */
  readonly printsAsItGoes?: boolean;
}

/** Runs a prepared run to its end, shown live, and prints what came of it: every command that works on a run ends here. */
export async function runAndPrint<Candidate, Value, Result>(
  prepared: ShownRun<Candidate, Value, Result>,
  origin: RunOrigin,
  options: WorkOptions,
): Promise<void> {
  const session = await runLive(prepared, origin, options);
  if (prepared.printsAsItGoes === true) printEnd({ ...prepared, describe: () => "" }, session, false);
  else printEnd(prepared, session, options.json === true);
}

/** Runs a prepared run to its end, shown live; signals interrupt it in order. */
export async function runLive<Candidate, Value, Result>(
  prepared: ShownRun<Candidate, Value, Result>,
  origin: RunOrigin,
  options: WorkOptions,
): Promise<EndedSession<Result>> {
  const { quiet = false, progressInterval, maxTime, cache, maxCost, durable, timers, acceptChanges } = options;
  const screen: DisplayOptions = {
    terminal: process.stderr,
    quiet,
    environment: process.env,
    ...(progressInterval === undefined ? {} : { everyMs: progressInterval }),
  };
  const own = prepared.display;
  const open = own === undefined ? await displayFor(screen) : () => own(screen);
  const display = new PatientDisplay(process.stderr.isTTY ? "terminal" : "log", open);
  let stopListening = () => {};
  claimProcess();
  try {
    const session = await runToEnd(prepared, origin, {
      pool: (recorded) => chosenPool(options, recorded),
      ...onlyGiven({ maxTimeMs: maxTime, cache, maxCost, durable, timers, acceptChanges }),
      ...(quiet ? {} : { onLockWait: notice }),
      page: async (directory) => (await import("@coppice/studio/export")).exportRun(directory),
      onRun: (run, directory) => {
        stopListening = interruptOnSignal(run.interrupt);
        if ("runs" in origin) writeCommandFile(directory, { words: typed.words, folder: process.cwd() });
        run.subscribe((event) => display.see(prepared.retold?.(event, directory) ?? event));
      },
    });
    await display.close();
    return session;
  } catch (error) {
    display.giveUp();
    throw error;
  } finally {
    stopListening();
  }
}

/** The first signal interrupts a run in order, the second ends the process at once. Returns how to stop listening. */
export function interruptOnSignal(interrupt: (reason: string) => void): () => void {
  let interrupted = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (interrupted) process.exit(exitCode.interrupted);
    interrupted = true;
    interrupt(`interrupted by ${signal}`);
  };
  for (const signal of endingSignals) process.on(signal, onSignal);
  return () => {
    for (const signal of endingSignals) process.off(signal, onSignal);
  };
}

/** Where the options of a command that starts a run put it, and what they say of its shape. */
export function newRun({ runDir, id, seed, lookahead, retries, timeout, onFailure }: RunOptions): RunOrigin {
  const shape = onlyGiven({ seed, lookahead, retries, timeoutMs: timeout, onFailure });
  return { runs: runDir, shape, ...(id === undefined ? {} : { id }) };
}
