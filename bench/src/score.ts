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
import { alternate, median, medianRatio } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, type Goal, goal } from "./report.ts";
import { doubledDay } from "./score/doubled-day.ts";
import { neighbours } from "./score/neighbours.ts";

interface GoodPlan {
  readonly objective: number;
  readonly exceedance: number;
  readonly delayMinutes: number;
  readonly plan: readonly object[];
}

/** What scoring by changes must gain over scoring from nothing, by the plan's number of lines. */
const TIMES_THE_TWIN: Readonly<Record<number, number>> = { 1: 100, 5: 100, 15: 350 };
const SEED = 17;
/** Processor time of one measurement: the system counts it in steps of up to 10 ms. */
const LEAST_MS = 200;

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
  const goodPlans = Map.groupBy(readGoodPlans(day), ({ plan }) => plan.length);
  let wrong = 0;
  for (const [lines, plans] of goodPlans) {
    const starts = plans.map(({ plan, stated }, at) => {
      const evaluator = startedAt(day, plan);
      const edits = neighbours(day, plan, quick ? 20 : 400, random(SEED).at(lines).at(at));
      wrong += disagreements(day, evaluator, edits.slice(0, quick ? 5 : 30)) + (sameScore(evaluator, stated) ? 0 : 1);
      const few = edits.slice(0, quick ? 2 : Math.ceil(40 / lines));
      return { plan, stated, edits, few, evaluator, beside: startedAt(twiceTheDay, plan) };
    });
    const leastMs = quick ? LEAST_MS / 10 : LEAST_MS;
    const measured = await alternate(quick ? 1 : rounds, {
      changes: () => perSecond(starts, leastMs, ({ edits, evaluator }) => scoreAll(evaluator, edits)),
      stopped: () =>
        perSecond(starts, leastMs, ({ edits, evaluator, stated }) => scoreAll(evaluator, edits, stated.objective)),
      doubled: () => perSecond(starts, leastMs, ({ edits, beside }) => scoreAll(beside, edits)),
      kept: () => perSecond(starts, leastMs, ({ edits, evaluator, plan }) => keepInTurn(evaluator, plan, edits)),
      twin: () => perSecond(starts, leastMs, ({ few }) => scoreAllFromScratch(day, few)),
    });
    const name = `plans of ${lines}`;
    figures[`${name}: neighbours`] = { value: Math.round(median(measured.changes)), unit: "/s per core" };
    figures[`${name}: neighbours, stopped when dearer than the plan`] = {
      value: Math.round(median(measured.stopped)),
      unit: "/s per core",
    };
    figures[`${name}: the same, against the twin`] = {
      value: Math.round(medianRatio(measured.stopped, measured.twin)),
      unit: "×",
    };
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

/** Scores edits, each only as far as it takes to see that it costs more than `most`. */
function scoreAll(evaluator: PlanEvaluator, edits: readonly Plan[], most?: number): number {
  for (const edit of edits) evaluator.evaluate(edit, most);
  return edits.length;
}

function scoreAllFromScratch(day: Instance, edits: readonly Plan[]): number {
  for (const edit of edits) scoreFromScratch(day, edit, defaultWeights);
  return edits.length;
}

/** Keeps each edit, then the plan again: what a search that accepts everything would pay. */
function keepInTurn(evaluator: PlanEvaluator, plan: Plan, edits: readonly Plan[]): number {
  for (const edit of edits) {
    evaluator.evaluate(edit);
    evaluator.keep();
    evaluator.evaluate(plan);
    evaluator.keep();
  }
  return edits.length;
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

/** Edits per second of this thread's own processor time, so that a busy machine changes little; all starts in turn. */
function perSecond<Start>(starts: readonly Start[], leastMs: number, score: (start: Start) => number): number {
  const began = process.threadCpuUsage();
  let edits = 0;
  let spentMs = 0;
  do {
    for (const start of starts) edits += score(start);
    const { user, system } = process.threadCpuUsage(began);
    spentMs = (user + system) / 1000;
  } while (spentMs < leastMs);
  return (1000 * edits) / spentMs;
}

/** Three plans of each size, the best that annealing found from three seeds, and what they cost. */
function readGoodPlans(day: Instance): { readonly plan: Plan; readonly stated: GoodPlan }[] {
  const file = new URL("./score/good-plans.json", import.meta.url);
  const stated = JSON.parse(readFileSync(file, "utf8")) as GoodPlan[];
  return stated.map((good) => {
    const { plan } = readPlanFile({ source: "good-plans.json", text: JSON.stringify(good.plan) }, day);
    return { plan, stated: good };
  });
}
