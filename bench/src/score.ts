import { readFileSync } from "node:fs";
import {
  decodeInstance,
  defaultWeights,
  encodeInstance,
  type Instance,
  type Plan,
  PlanEvaluator,
  readPlanFile,
  scoreFromScratch,
  usDay,
} from "@coppice/airspace";
import { random } from "@coppice/engine";
import {
  alternate,
  type BenchOptions,
  type BenchReport,
  benchReport,
  type Figure,
  type Goal,
  goal,
  median,
  medianRatio,
} from "./report.ts";
import { doubledDay } from "./score/doubled-day.ts";
import { neighbours } from "./score/neighbours.ts";

interface GoodPlan {
  readonly objective: number;
  readonly exceedance: number;
  readonly delayMinutes: number;
  readonly plan: readonly object[];
}

/** What scoring by changes must gain over scoring from nothing, by the plan's number of lines. */
const TIMES_THE_TWIN: Readonly<Record<number, number>> = { 1: 100, 5: 100, 15: 150 };
const SEED = 17;

/** How fast one-edit neighbours of good plans are scored on the real day, beside the twin that starts from nothing. */
export async function scoreBench({
  rounds = 9,
  quick = false,
  progress = () => {},
}: BenchOptions): Promise<BenchReport> {
  const figures: Record<string, Figure> = {};
  const goals: Goal[] = [];
  const { day, figures: ofDay, goals: onDay } = openDay();
  Object.assign(figures, ofDay);
  progress("day imported and loaded");

  const twiceTheDay = doubledDay(day);
  const file = new URL("./score/good-plans.json", import.meta.url);
  let wrong = 0;
  for (const good of JSON.parse(readFileSync(file, "utf8")) as GoodPlan[]) {
    const { plan } = readPlanFile({ source: "good-plans.json", text: JSON.stringify(good.plan) }, day);
    const lines = plan.length;
    const edits = neighbours(day, plan, quick ? 40 : 1000, random(SEED).at(lines));
    const evaluator = startedAt(day, plan);
    const beside = startedAt(twiceTheDay, plan);
    wrong += disagreements(day, evaluator, edits.slice(0, quick ? 10 : 60)) + (sameScore(evaluator, good) ? 0 : 1);

    const few = edits.slice(0, quick ? 4 : Math.ceil(120 / lines));
    const measured = await alternate(quick ? 1 : rounds, {
      changes: () => perSecond(edits, (edit) => evaluator.evaluate(edit), quick ? 1 : 3),
      doubled: () => perSecond(edits, (edit) => beside.evaluate(edit), quick ? 1 : 3),
      kept: () => perSecond(edits, (edit) => keepInTurn(evaluator, plan, edit), 1),
      twin: () => perSecond(few, (edit) => scoreFromScratch(day, edit, defaultWeights), 1),
    });
    const name = `plan of ${lines}`;
    figures[`${name}: neighbours`] = { value: Math.round(median(measured.changes)), unit: "/s per core" };
    figures[`${name}: neighbours, each kept and taken back`] = {
      value: Math.round(median(measured.kept)),
      unit: "/s per core",
    };
    figures[`${name}: from nothing`] = { value: Math.round(median(measured.twin)), unit: "/s per core" };
    goals.push(
      goal(`${name}, against the twin`, medianRatio(measured.changes, measured.twin), "×", ">=", TIMES_THE_TWIN[lines]),
    );
    const slower = medianRatio(measured.changes, measured.doubled);
    goals.push(goal(`${name}, cost beside as much untouched traffic again`, slower, "×", "<=", 1.15));
    progress(`${name} measured`);
  }
  goals.push(goal("scores that differ from the twin's or the stated ones", wrong, "scores", "<=", 0), ...onDay);
  return benchReport("score", quick ? 1 : rounds, figures, goals);
}

function openDay(): { readonly day: Instance; readonly figures: Record<string, Figure>; readonly goals: Goal[] } {
  const began = performance.now();
  const imported = usDay();
  const importMs = performance.now() - began;
  const bytes = encodeInstance(imported);
  const loading = performance.now();
  const day = decodeInstance(bytes, "memory");
  const loadMs = performance.now() - loading;
  const memoryMb = process.memoryUsage.rss() / 2 ** 20;
  return {
    day,
    figures: {
      flights: { value: day.flightIds.length, unit: "flights" },
      "instance file": { value: Math.round(bytes.length / 1024), unit: "KB" },
    },
    goals: [
      goal("importing the day", importMs / 1000, "s", "<", 15),
      goal("loading its file", loadMs, "ms", "<", 300),
      goal("memory after import and load", memoryMb, "MB", "<", 300),
    ],
  };
}

function startedAt(instance: Instance, plan: Plan): PlanEvaluator {
  const evaluator = new PlanEvaluator(instance, defaultWeights);
  evaluator.evaluate(plan);
  evaluator.keep();
  return evaluator;
}

/** Keeps the edit, then the plan again: what a search that accepts everything would pay. */
function keepInTurn(evaluator: PlanEvaluator, plan: Plan, edit: Plan): void {
  evaluator.evaluate(edit);
  evaluator.keep();
  evaluator.evaluate(plan);
  evaluator.keep();
}

function disagreements(day: Instance, evaluator: PlanEvaluator, edits: readonly Plan[]): number {
  return edits.filter((edit) => {
    const fast = evaluator.evaluate(edit);
    const slow = scoreFromScratch(day, edit, defaultWeights).score;
    return fast.exceedance !== slow.exceedance || fast.delayMinutes !== slow.delayMinutes;
  }).length;
}

function sameScore(evaluator: PlanEvaluator, good: GoodPlan): boolean {
  const { objective, exceedance, delayMinutes } = evaluator.evaluate(evaluator.plan);
  return objective === good.objective && exceedance === good.exceedance && delayMinutes === good.delayMinutes;
}

/** Scores per second of this thread's own processor time, so that a busy machine changes little. */
function perSecond(edits: readonly Plan[], score: (edit: Plan) => unknown, times: number): number {
  const began = process.threadCpuUsage();
  for (let time = 0; time < times; time++) for (const edit of edits) score(edit);
  const { user, system } = process.threadCpuUsage(began);
  return (1e6 * times * edits.length) / (user + system);
}
