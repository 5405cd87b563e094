import { join } from "node:path";
import { formatCount, formatMeasured, right, tableText } from "@coppice/engine/display";
import { type RunSummary, runIds, summarizeRun } from "@coppice/engine/records";
import type { PlaceOptions } from "../options/run-options.ts";
import { print, printJson } from "../print.ts";

/** `coppice runs`: what there is and how it stands. */
export function printRuns({ runDir, json }: PlaceOptions & { readonly json?: boolean }): void {
  const runs = runIds(runDir).map((id) => summarizeRun(join(runDir, id), id));
  if (json === true) printJson(runs);
  else if (runs.length === 0) print(`no runs in ${runDir} yet\n`);
  else print(`${table(runs)}\n`);
}

function table(runs: readonly RunSummary[]): string {
  return tableText(
    ["id", "tool", "state", ...right("tells"), "digest", "started", ...right("span"), ""],
    runs.map((run) => [
      run.id,
      run.tool ?? "",
      run.state,
      run.tells === undefined ? "" : formatCount(run.tells),
      run.digest?.slice(0, 12) ?? "",
      run.startedAt === undefined ? "" : localTime(run.startedAt),
      run.tookMs === undefined ? "" : formatMeasured(run.tookMs),
      run.message ?? "",
    ]),
  );
}

/** `2026-11-15 20:39`, in the reader's own time zone. */
function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
