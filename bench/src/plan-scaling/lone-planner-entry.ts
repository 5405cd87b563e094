import { readFileSync } from "node:fs";
import { decodeInstance } from "@coppice/airspace";
import { inline } from "@coppice/engine";
import { type PlanRun, startPlanning } from "../plan/plan-run.ts";

/** What a planner's process is told at its start, after the file of the day: everything else. */
export type LoneRun = Omit<PlanRun, "instance">;

/** What it answers when it has planned. */
export interface LonePlan {
  readonly evaluations: number;
  readonly objective: number;
}

const [, , dayFile, orders] = process.argv;
const run = JSON.parse(orders) as LoneRun;
const instance = decodeInstance(readFileSync(dayFile), dayFile);
process.on("message", async () => {
  const { result } = await startPlanning({ ...run, instance }, inline());
  const objective = result.best?.score.objective ?? Number.NaN;
  process.send?.({ evaluations: result.evaluations, objective } satisfies LonePlan);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
