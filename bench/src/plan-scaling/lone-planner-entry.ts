import { usDay } from "@coppice/airspace";
import { inline } from "@coppice/engine";
import { type PlanRun, startPlanning } from "../plan/plan-run.ts";

/** What a planner's process is told at its start, as its only argument: everything but the day. */
export type LoneRun = Omit<PlanRun, "instance">;

/** What it answers when it has planned. */
export interface LonePlan {
  readonly evaluations: number;
  readonly objective: number;
}

const run = JSON.parse(process.argv[2]) as LoneRun;
const instance = usDay();
process.on("message", async () => {
  const { result } = await startPlanning({ ...run, instance }, inline());
  const objective = result.best?.score.objective ?? Number.NaN;
  process.send?.({ evaluations: result.evaluations, objective } satisfies LonePlan);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
