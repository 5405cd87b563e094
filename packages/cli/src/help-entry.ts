import { CommanderError } from "commander";
import { programFor } from "./command-line.ts";

// Built into one file for the published package: help is what people wait for most often, and it needs no tool.

/**
 * Prints help, if that is what these words ask for. False when they ask for something else: then nothing was printed or
 * done, and the command line itself has to be started.
 */
export async function printedHelp(args: readonly string[]): Promise<boolean> {
  const program = await programFor(args);
  if (args.length === 0) {
    program.outputHelp();
    return true;
  }
  program.hook("preAction", () => {
    throw new Error("this is no call for help");
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return false;
  } catch (error) {
    return error instanceof CommanderError && error.exitCode === 0;
  }
}
