import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import type { InputText } from "../import/published.ts";
import type { PlanCheck } from "./check-plan.ts";

const runEnd = z.object({
  artifacts: z.object({ delays_min: z.record(z.string(), z.number()).optional() }).optional(),
});

/** Delays of the published planner come in whole steps of this many minutes. */
const STEP_MINUTES = 15;

/**
 * Checks that the delays which the published planner's run log gives at its last `run_end` are whole steps. Without a log,
 * or without delays in it, there is nothing to check. A plan of the network's model delays by the minute.
 */
export function checkDelayGranularity(log: InputText | undefined): PlanCheck {
  const delays = Object.entries(log === undefined ? {} : lastDelays(log)).filter(([, minutes]) => minutes > 0);
  return {
    name: "delay_granularity",
    description: `delays are multiples of ${STEP_MINUTES} minutes`,
    violations: delays
      .filter(([, minutes]) => minutes % STEP_MINUTES !== 0)
      .map(([flight, minutes]) => `${flight} is delayed by ${minutes} minutes`),
    total: delays.length,
  };
}

function lastDelays({ source, text }: InputText): Record<string, number> {
  let delays: Record<string, number> = {};
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const where = `${source}: line ${at + 1}`;
    const entry = parsed(line, where);
    if (!isRunEnd(entry)) continue;
    const checked = runEnd.safeParse(entry);
    if (!checked.success) throw new UsageError(`${where}: ${checked.error.issues[0].message}`);
    delays = checked.data.artifacts?.delays_min ?? {};
  }
  return delays;
}

function parsed(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UsageError(`${where}: not JSON; a run log has an object per line`);
  }
}

/** Events name their kind as `type` or `event`. */
function isRunEnd(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  return ("type" in entry && entry.type === "run_end") || ("event" in entry && entry.event === "run_end");
}
