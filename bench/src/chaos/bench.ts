import { type BenchOptions, type BenchReport, benchReport, goal } from "../report.ts";
import { chaos } from "./chaos.ts";

const KILLS = 300;

/** Hundreds of `kill -9` at journal writes: how many landed where, and that nothing was lost or done twice. */
export async function chaosBench({ quick = false }: BenchOptions = {}): Promise<BenchReport> {
  const report = await chaos({ kills: quick ? 6 : KILLS, seed: 2, tasks: quick ? 60 : 200 });
  const { before, between, after } = report.coordinatorKills;
  return benchReport(
    "chaos",
    report.runs,
    {
      killsBeforeWrites: { value: before, unit: "kills" },
      killsBetweenWrites: { value: between, unit: "kills" },
      killsAfterWrites: { value: after, unit: "kills" },
      workerKills: { value: report.workerKills, unit: "kills" },
      evaluations: { value: report.evaluations, unit: "evaluations" },
      needed: { value: report.needed, unit: "evaluations" },
    },
    [
      goal("runs with another digest than undisturbed", report.wrongDigests, "runs", "<=", 0),
      goal("journaled evaluations run again", report.repeated, "evaluations", "<=", 0),
    ],
  );
}
