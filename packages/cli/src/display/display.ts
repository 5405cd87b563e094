import { PlainLines, type RunReader } from "@coppice/engine";
import { LiveDisplay, type Terminal } from "./live-display.ts";

export interface DisplayOptions {
  /** Where people look; results go elsewhere. */
  readonly terminal: Terminal & NodeJS.WritableStream;
  readonly quiet: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The display a person gets: live in a terminal, plain lines in a pipe, with `--quiet` or in continuous integration. */
export function openDisplay({ terminal, quiet, environment }: DisplayOptions): RunReader {
  const { CI, TERM, NO_COLOR } = environment;
  const live = terminal.isTTY && !quiet && !isSet(CI) && TERM !== "dumb";
  if (live) return new LiveDisplay({ terminal, color: NO_COLOR === undefined || NO_COLOR === "" });
  return new PlainLines({ write: (line) => terminal.write(`${line}\n`) });
}

/** Set to anything but nothing, `0` or `false`. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
