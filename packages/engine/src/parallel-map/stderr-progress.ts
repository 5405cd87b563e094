import { printableLine } from "../display/printable.ts";
import type { MapProgress } from "./parallel-map.ts";

/** Where progress is printed; `process.stderr` is one, `process.stdout` belongs to results. */
export interface ProgressTarget {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** A progress callback for people: one line that is rewritten on a terminal, one line per tenth elsewhere. */
export function stderrProgress(
  label: string,
  target: ProgressTarget = process.stderr,
): (progress: MapProgress) => void {
  let tenthsShown = 0;
  return ({ done, total, failed }) => {
    const text = `${printableLine(label)} ${done}/${total}${failed > 0 ? `, ${failed} failed` : ""}`;
    if (target.isTTY) {
      target.write(`\r\u001b[2K${text}${done === total ? "\n" : ""}`);
      return;
    }
    const tenths = Math.floor((10 * done) / total);
    if (tenths > tenthsShown) target.write(`${text}\n`);
    tenthsShown = tenths;
  };
}
