import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CommitRules,
  dayReport,
  findHotspots,
  type Instance,
  type OuterRuns,
  type PlannerOptions,
  type Planning,
  type PlanSearch,
  type PreparedPlanning,
  planExport,
  prepareCommits,
  preparePlanning,
  type RootResult,
  scoreFromScratch,
  type Weights,
} from "@coppice/airspace";
import { formatCount, type PreparedRun, readReport, tableText } from "@coppice/engine";
import { exitCode } from "../exit-code.ts";
import { openDay } from "./open-day.ts";

/** What `run.json` keeps of a plan search. */
export interface PlanRecord {
  readonly instance?: string | undefined;
  readonly scenario?: "storm" | "clear" | undefined;
  readonly weights: Weights;
  readonly planner: PlannerOptions;
  readonly roots: number;
  /** Set where rates are found inside the search. */
  readonly commits?: CommitRules;
  /** Set where the whole planning is repeated; without `runs` any number of times. */
  readonly outer?: Partial<OuterRuns>;
}

/** Where the files that a plan search leaves are written, besides the run's directory. */
export interface PlanOutputs {
  readonly out?: string | undefined;
  readonly report?: string | undefined;
}

/** A plan search as the engine wants it; the same for a start, a resume and a verification. */
export function plannedDay(record: PlanRecord, outputs: PlanOutputs = {}): PreparedRun<unknown, unknown, RootResult> {
  const { instance: file, scenario, weights } = record;
  const instance = openDay({
    ...(file === undefined ? {} : { instance: file }),
    ...(scenario === undefined ? {} : { scenario }),
  });
  return {
    tool: "flow-plan",
    record: () => record,
    shape: { seed: record.planner.seed },
    ...prepared(instance, record),
    finish(result, directory) {
      const plan = result.best?.plan ?? [];
      const planText = `${JSON.stringify(planExport(instance, weights, result), null, 2)}\n`;
      const page = dayReport({ instance, weights, plan, search: searchOf(result, directory) });
      for (const path of [join(directory, "plan.json"), ...given(outputs.out)]) writeFileSync(path, planText);
      for (const path of [join(directory, "plan.html"), ...given(outputs.report)]) writeFileSync(path, page);
    },
    describe: (result, directory) => planningText(instance, weights, result, directory, outputs),
    exitCode: (end) => (end.state === "done" && end.result.best === undefined ? exitCode.failed : undefined),
  };
}

function prepared(instance: Instance, { weights, planner, roots, commits, outer }: PlanRecord) {
  const runs = outer === undefined ? { runs: 1 } : { runs: Number.POSITIVE_INFINITY, ...outer };
  const planning =
    commits === undefined
      ? preparePlanning(instance, weights, planner, roots, runs)
      : prepareCommits(instance, weights, planner, commits, roots, runs);
  // Cast: the engine hands the search nothing but what its own evaluator answers.
  return planning as PreparedPlanning<unknown, unknown>;
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
    ...telemetryLines(best),
    `plan    ${outputs.out ?? join(directory, "plan.json")}`,
    `report  ${outputs.report ?? join(directory, "plan.html")}`,
  ].join("\n");
}

/** What episodes say of themselves; what single regulations were worth is not known while whole plans are searched. */
function telemetryLines({ episodes, stopReason }: Planning): string[] {
  const ended = `ended: ${stopReason.replaceAll("_", " ")}`;
  if (episodes === undefined) return [ended];
  const { episodes: played, terminalEvaluations, nodes, bestReward, planLength, commitGains } = episodes;
  const local = commitGains === undefined ? "n/a" : commitGains.map((gain) => figure(-gain)).join(", ") || "none";
  const counts = `${formatCount(played)} episodes, ${formatCount(terminalEvaluations)} evaluated at their end, ${formatCount(nodes)} nodes`;
  return [
    `${counts}; plan length ${planLength}, best reward ${figure(bestReward)} (J ${figure(-bestReward)}), local ΔJ ${local}; ${ended}`,
  ];
}

function figure(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : value.toFixed(1);
}
