import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  dayReport,
  findHotspots,
  type Instance,
  type PlannerOptions,
  type Planning,
  type PlanSearch,
  planFileContent,
  preparePlanning,
  type RootResult,
  type RootTask,
  scoreFromScratch,
  type Weights,
} from "@coppice/airspace";
import { formatCount, readReport } from "@coppice/engine";
import { tableText } from "../session/print-table.ts";
import type { PlannedRun } from "../tools/planned-run.ts";
import { openDay } from "./open-day.ts";

/** What `run.json` keeps of a plan search. */
export interface PlanRecord {
  readonly instance?: string | undefined;
  readonly scenario?: "storm" | "clear" | undefined;
  readonly weights: Weights;
  readonly planner: PlannerOptions;
  readonly roots: number;
}

/** Where the files that a plan search leaves are written, besides the run's directory. */
export interface PlanOutputs {
  readonly out?: string | undefined;
  readonly report?: string | undefined;
}

type PlannedDay = PlannedRun<RootTask, Planning, RootResult> & { finish(result: RootResult): void };

/** A plan search as the engine wants it; the same for a start, a resume and a verification. */
export function plannedDay(record: PlanRecord, directory: () => string, outputs: PlanOutputs = {}): PlannedDay {
  const { instance: file, scenario, weights, planner, roots } = record;
  const instance = openDay({
    ...(file === undefined ? {} : { instance: file }),
    ...(scenario === undefined ? {} : { scenario }),
  });
  return {
    ...preparePlanning(instance, weights, planner, roots),
    finish(result) {
      const plan = result.best?.plan ?? [];
      const planText = `${JSON.stringify(planFile(instance, weights, result), null, 2)}\n`;
      const page = dayReport({ instance, weights, plan, search: searchOf(result, directory()) });
      for (const path of [join(directory(), "plan.json"), ...given(outputs.out)]) writeFileSync(path, planText);
      for (const path of [join(directory(), "plan.html"), ...given(outputs.report)]) writeFileSync(path, page);
    },
    describe: (result) => planningText(instance, weights, result, directory(), outputs),
  };
}

/** How the plan was found, for its report; what the workers did is in the run's journal. */
function searchOf({ roots, bestRoot, best }: RootResult, directory: string): PlanSearch {
  return {
    roots,
    bestRoot,
    ...(best?.tree === undefined ? {} : { tree: best.tree }),
    treeEvaluations: best?.treeEvaluations ?? 0,
    timeline: readReport(directory).timeline,
  };
}

function given(path: string | undefined): string[] {
  return path === undefined ? [] : [path];
}

/** The plan as `flow score` and `flow validate` read it, and what it took to find it. */
function planFile(instance: Instance, weights: Weights, { best, evaluations }: RootResult): object {
  return {
    objective: best?.score.objective ?? null,
    ...planFileContent(best?.plan ?? [], instance, weights),
    time_bin_minutes: instance.binMinutes,
    unique_evals: evaluations,
  };
}

/** Before and after, what was searched, and where it is written. */
function planningText(
  instance: Instance,
  weights: Weights,
  { best, bestRoot, evaluations, treeEvaluations, treeNodes, roots }: RootResult,
  directory: string,
  outputs: PlanOutputs,
): string {
  if (best === undefined) return `every root failed: ${roots.map(({ failure }) => failure).join("; ")}`;
  const [without, withPlan] = [[], best.plan].map((plan) => scoreFromScratch(instance, plan, weights));
  const hotspots = [without, withPlan].map(({ hourCount }) => findHotspots(instance, hourCount).length);
  if (hotspots[0] === 0) return `${instance.name} has no hotspots: the empty plan is the best one`;
  const row = (name: string, before: number, after: number) => [
    name,
    figure(before),
    figure(after),
    before === 0 ? "" : `${after < before ? "" : "+"}${(((after - before) / before) * 100).toFixed(0)} %`,
  ];
  const delayed = withPlan.delayMinutes.reduce((count, minutes) => (minutes > 0 ? count + 1 : count), 0);
  const table = tableText(
    [
      { title: instance.name },
      { title: "without", align: "right" },
      { title: "with the plan", align: "right" },
      { title: "change", align: "right" },
    ],
    [
      row("network objective J", without.score.objective, withPlan.score.objective),
      row("flights above capacity", without.score.exceedance, withPlan.score.exceedance),
      row("hotspots", hotspots[0], hotspots[1]),
      row("minutes of delay", 0, withPlan.score.delayMinutes),
      row("flights delayed", 0, delayed),
      row("regulations", 0, best.plan.length),
    ],
  );
  const share = Math.round((100 * treeEvaluations) / Math.max(1, evaluations));
  const failed = roots.filter(({ failure }) => failure !== undefined).length;
  return [
    table,
    "",
    `${formatCount(evaluations)} plans evaluated in ${roots.length} ${roots.length === 1 ? "root" : "roots"}${failed === 0 ? "" : `, ${failed} of them dropped`}; ${share} % in trees of ${formatCount(treeNodes)} nodes; the best is root ${bestRoot}'s`,
    `plan    ${outputs.out ?? join(directory, "plan.json")}`,
    `report  ${outputs.report ?? join(directory, "plan.html")}`,
  ].join("\n");
}

function figure(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : value.toFixed(1);
}
