import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent, TimerTotals } from "../../contract/event.ts";
import type { ProgressLevel } from "../../contract/search.ts";
import { COORDINATOR } from "../../timers/own-timers.ts";
import { LOGS, RUN_LOG } from "../run-logs.ts";

/**
 * What only the run log knows and a journal has no need of: best values, levels, what was reused, when workers came and went, timers. A log is written for people
 * and may be missing, cut short or edited; lines that are not as expected are passed over.
 */
export function* runLogEvents(directory: string): Generator<RunEvent> {
  let text: string;
  try {
    text = readFileSync(join(directory, LOGS, RUN_LOG), "utf8");
  } catch {
    return;
  }
  for (const line of text.split("\n")) {
    const fields = parsed(line);
    const at = Date.parse(String(fields?.time));
    if (fields === undefined || Number.isNaN(at)) continue;
    const { event } = fields;
    if (event === "best" || event === "progress") {
      const { told, asked = 0, best, levels } = fields;
      if (typeof told !== "number" || typeof asked !== "number") continue;
      const search = {
        ...(typeof best === "number" ? { best } : {}),
        ...(isLevels(levels) ? { levels } : {}),
      };
      yield { type: "told", at, told, asked, search };
    } else if (event === "resumed" && typeof fields.reused === "number" && typeof fields.rerun === "number") {
      yield { type: "resumed", at, plan: { reused: fields.reused, rerun: fields.rerun, reasons: [] } };
    } else if (event === "worker" && (fields.state === "ready" || fields.state === "ended")) {
      const { worker, pid, state } = fields;
      if (typeof worker !== "number" || typeof pid !== "number") continue;
      yield { type: "worker", at, identity: { worker, pid, pidStart: "" }, state };
    } else if (event === "worker-summary" && typeof fields.worker === "number" && isTotals(fields.timers)) {
      yield { type: "timers", at, worker: fields.worker, totals: fields.timers };
    } else if (event === "coordinator-summary" && isTotals(fields.timers)) {
      yield { type: "timers", at, worker: COORDINATOR, totals: fields.timers };
    }
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isLevels(value: unknown): value is readonly ProgressLevel[] {
  return (
    Array.isArray(value) && value.every((level) => hasNumbers(level, "done", "total") && typeof level.name === "string")
  );
}

function isTotals(value: unknown): value is TimerTotals {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every((total) => hasNumbers(total, "ms", "selfMs", "count"));
}

function hasNumbers(value: unknown, ...names: readonly string[]): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  return names.every((name) => typeof fields.get(name) === "number");
}
