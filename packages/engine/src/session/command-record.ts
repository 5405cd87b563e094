import { relative, resolve } from "node:path";
import type { CommandOptions } from "../command/command-evaluator.ts";
import { isFolder } from "../files/if-there.ts";

/** A command as `run.json` keeps it. Where it runs is seen from the run, so that a project can be moved as a whole. */
export interface CommandRecord extends Omit<CommandOptions, "cwd" | "context"> {
  readonly cwd: string;
  /** The same as seen from where the run was started, so that the run's directory can be moved alone. */
  readonly fromHere: string;
}

/** What is kept of a command that evaluates a run in `directory`. */
export function commandRecord({ cwd = ".", context: _, ...command }: CommandOptions, directory: string): CommandRecord {
  const seenFrom = (place: string) => relative(resolve(place), resolve(cwd)) || ".";
  return { ...command, cwd: seenFrom(directory), fromHere: seenFrom(".") };
}

/** The command again, where its folder is now. */
export function recordedCommand({ cwd, fromHere, ...command }: CommandRecord, directory: string): CommandOptions {
  const places = [resolve(directory, cwd), resolve(fromHere)];
  const found = places.find((place) => isFolder(place));
  return { ...command, cwd: found ?? places[0] };
}
