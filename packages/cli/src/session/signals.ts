import { exitCode } from "../exit-code.ts";
import { endingSignals } from "./standard-streams.ts";

/**
 * While a run is under way, the first signal interrupts it in order and the second one ends the process at once.
 * Returns how to stop listening.
 */
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
