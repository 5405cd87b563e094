import type { Search } from "@coppice/engine";
import { onlyGiven } from "@coppice/engine/only-given";
import { UsageError } from "@coppice/engine/usage-error";
import {
  type Configuration,
  type Goal,
  hyperband,
  type Point,
  pointOf,
  type SearchSpace,
  type StudyResult,
  samplerNamed,
  study,
} from "@coppice/search";
import { spaceOf } from "../tuning/space-file.ts";
import type { SamplingOptions } from "./sampling-options.ts";

type SearchChoices = Omit<SamplingOptions, "evaluator" | "output">;

/** What is wanted of a point. */
export function goalsOf({ space }: Pick<SamplingOptions, "space">): readonly Goal[] {
  const objectives = space.objectives ?? { value: space.objective };
  return Object.entries(objectives).map(([name, wanted]) => ({
    name,
    better: wanted === "minimize" ? "lower" : "higher",
  }));
}

/** The search of a space, by the method that was chosen. */
export function searchOf(options: SearchChoices): Search<Configuration, unknown, StudyResult> {
  const { method, trials, window, seed, repeats, patience, target, budget, answered } = options;
  const [space, goals] = [spaceOf("the space", options.space), goalsOf(options)];
  const first = options.first?.map((point) => pointIn(space, point));
  const shared = { space, trials, window, seed, ...(first === undefined ? {} : { first }) };
  if (method === "halving" || method === "hyperband") {
    if (budget === undefined) throw new UsageError(`the method ${method} needs a budget`);
    return hyperband({ ...shared, goal: goals[0], budget, brackets: method });
  }
  // Another run's points may break what is asked of this one's, and say something all the same.
  const free = { ...space, constraints: [] };
  const earlier = options.earlier?.map(({ point, values }) => ({ point: pointIn(free, point), values }));
  return study({
    ...shared,
    goals,
    sampler: samplerNamed(method, { space, seed }),
    ...onlyGiven({ earlier, answered, repeats, patience, target }),
  });
}

function pointIn(space: SearchSpace, configuration: Configuration): Point {
  const point = pointOf(space, configuration);
  if (typeof point === "string") throw new UsageError(`a recorded point does not belong to the space: ${point}`);
  return point;
}

/** Refuses a space in which the search finds no point to begin with. */
export function checkHasPoint(path: string, options: SearchChoices): void {
  const search = searchOf(options);
  if (search.ask().kind === "done") throw new UsageError(`${path}: ${search.result().ended}`);
}
