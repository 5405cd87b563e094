import { readdirSync } from "node:fs";
import type { ChosenTree } from "../config/choose-tree.ts";
import type { Cost } from "../contract.ts";
import { isIdeaName } from "../generate/idea-file.ts";
import { addCost, NO_COST } from "../steps/reported-cost.ts";
import type { CheckedStep } from "./check-tree.ts";

/** What a whole tree comes to, at most where ideas run out or budgets end it. */
export interface FullRun {
  readonly depths: number;
  readonly evaluations: number;
  /** How often everything is measured, and how often at most where that does not tell. */
  readonly repeats: number;
  readonly mostRepeats: number;
  /** Seconds with as many at once as there will be: if the first repeats tell, and if none do. */
  readonly seconds: number;
  readonly mostSeconds: number;
  /** What the agent will have said it spent; null when it was not asked. */
  readonly cost: Cost;
}

/** What the whole tree takes, from what one idea took. */
export function fullRun(chosen: ChosenTree, steps: readonly CheckedStep[], repeats: number): FullRun {
  const { shape, work } = chosen;
  const counts = evaluationsByDepth(chosen);
  const evaluations = Math.min(sum(counts), work.maxTotalIdeaEvals ?? Number.POSITIVE_INFINITY);
  const nodes = counts.reduce((all, count, depth) => all + (count === 0 ? 0 : depth === 0 ? 1 : shape.beamWidth), 0);
  const secondsOf = (of: CheckedStep["of"]) =>
    sum(steps.filter((step) => step.of === of).map(({ seconds }) => seconds));
  const sweep = steps.findLast(({ step, of }) => step === "sweep" && of === "idea")?.seconds ?? 0;
  const mostRepeats = repeats === 1 ? 1 : Math.max(repeats, shape.maxRepeats ?? repeats * 4);
  const again = (times: number) => (times === 1 ? 0 : (nodes * times + evaluations * (times - 1)) * sweep);
  const once = evaluations * secondsOf("idea");
  const lasting = (times: number) => secondsOf("root") + (once + again(times)) / work.maxParallelEvals;
  const costOf = (of: CheckedStep["of"]) =>
    steps.filter((step) => step.of === of).reduce((all, { cost }) => addCost(all, cost), NO_COST);
  return {
    depths: counts.filter((count) => count > 0).length,
    evaluations,
    repeats,
    mostRepeats,
    seconds: lasting(repeats),
    mostSeconds: lasting(mostRepeats),
    cost: addCost(times(costOf("idea"), evaluations), times(costOf("root"), nodes)),
  };
}

/** How many there are in a folder that is the same for all nodes; undefined where each has its own. */
export function ideasInFolder({ ideas }: ChosenTree["config"]): number | undefined {
  if (ideas.kind !== "folder" || /\{(node|depth)\}/.test(ideas.path)) return undefined;
  return readdirSync(ideas.path).filter(isIdeaName).length;
}

/** Evaluations of each depth, at most: a folder that is the same for all nodes runs out of ideas. */
function evaluationsByDepth({ config, shape, work }: ChosenTree): number[] {
  const { ideasPerNode, beamWidth, dedupeScope } = shape;
  const known = ideasInFolder(config);
  const fixed = known !== undefined;
  const there = known ?? Number.POSITIVE_INFINITY;
  return Array.from({ length: work.maxDepth }, (_, depth) => {
    const used = !fixed || dedupeScope === "none" ? 0 : dedupeScope === "accepted" ? depth : depth * there;
    return Math.max(0, Math.min(ideasPerNode, there - used)) * (depth === 0 ? 1 : beamWidth);
  });
}

function times({ money, tokens }: Cost, count: number): Cost {
  return { money: money * count, tokens: tokens * count };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
