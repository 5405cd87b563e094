import type { PreparedRun, RunFile } from "@coppice/engine";
import { type PlanRecord, plannedDay } from "./planned-day.ts";

/** Prepares a recorded plan search again, so that it can be resumed or verified. */
export async function rebuildPlan(file: RunFile): Promise<PreparedRun> {
  // Cast: written by planDay; the day it leads to is compared with that of the run.
  return plannedDay(file.options as PlanRecord) as PreparedRun;
}
