import { PlainLines } from "@coppice/engine/display";
import { printableLine } from "@coppice/engine/printable";
import type { RunReader } from "@coppice/engine/session";
import { isYes } from "../options/option-table.ts";
import type { Terminal } from "./live-display.ts";

export interface DisplayOptions {
  /** Where people look; results go elsewhere. */
  readonly terminal: Terminal & NodeJS.WritableStream;
  readonly quiet: boolean;
  /** How often progress is shown; ten times a second in a terminal and every 5 s elsewhere if absent. */
  readonly everyMs?: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** No terminal and no log is read faster. */
const SHORTEST_MS = 50;

/**
 * The display a person gets: live in a terminal, plain lines in a pipe, with `--quiet` or in continuous integration. What
 * draws in place is loaded only where it does.
 */
export async function displayFor(screen: DisplayOptions): Promise<() => RunReader> {
  const { terminal, environment, everyMs } = screen;
  const pace = everyMs === undefined ? {} : { everyMs: Math.max(SHORTEST_MS, everyMs) };
  if (showsLive(screen)) {
    const { NO_COLOR } = environment;
    const { LiveDisplay } = await import("./live-display.ts");
    return () => new LiveDisplay({ terminal, color: NO_COLOR === undefined || NO_COLOR === "", ...pace });
  }
  return () => new PlainLines({ write: (line) => terminal.write(`${printableLine(line)}\n`), ...pace });
}

/** Whether a display may redraw in place: in a terminal, unless told otherwise. */
export function showsLive({ terminal, quiet, environment }: DisplayOptions): boolean {
  return terminal.isTTY && !quiet && !isYes(environment.CI) && environment.TERM !== "dumb";
}
