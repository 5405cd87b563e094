import { formatCount, formatMeasured, right, tableText } from "@coppice/engine/display";
import { DEFAULT_RUNS } from "@coppice/engine/records";
import { commandName } from "../session/resume-command.ts";

/** One of the demonstration's runs. */
export interface DemoRun {
  readonly id: string;
  readonly what: string;
  readonly workers: number;
  readonly ms: number;
  readonly evaluated: number;
  readonly digest: string;
}

const columns = ["run", "", ...right("workers", "time", "speed-up", "evaluated"), "digest"];

/** The demonstration's runs side by side, what they show, and where to look closer. */
export function demoText(runs: readonly DemoRun[], same: boolean, runDir: string): string {
  const rows = runs.map(({ id, what, workers, ms, evaluated, digest }, i) => [
    id,
    what,
    String(workers),
    formatMeasured(ms),
    // The resumed run did only half of the work.
    i === 1 ? `${(runs[0].ms / ms).toFixed(2)}×` : "",
    formatCount(evaluated),
    `${digest.slice(0, 16)}…`,
  ]);
  const verdict = same
    ? `The same digest ${runs.length} times: the answer does not depend on workers, timing or being killed.`
    : "The digests differ. That must not happen: please report it, with the runs' directories.";
  const place = runDir === DEFAULT_RUNS ? "" : ` --run-dir ${runDir}`;
  const [alone, , killed] = runs.map(({ id }) => id);
  const next = ["runs", `show ${killed}`, `diff ${alone} ${killed}`];
  const commands = next.map((command) => `  ${commandName(process.env)} ${command}${place}`);
  return `${tableText(columns, rows)}\n\n${verdict}\nLook closer:\n${commands.join("\n")}`;
}
