import type { Edge } from "./edges.ts";

/** Hooks that wait for each other in a circle. */
export class PlanCycle extends Error {
  override readonly name = "PlanCycle";

  constructor(names: readonly string[]) {
    super(`these hooks wait for each other: ${[...names, names[0]].join(" → ")}; remove one "after"`);
  }
}

/** Longest-path levels of the graph, each in list order; throws {@link PlanCycle} naming the hooks. */
export function findStages(names: readonly string[], edges: readonly Edge[]): readonly (readonly number[])[] {
  const before = names.map((_, to) => edges.filter((edge) => edge.to === to).map((edge) => edge.from));
  const level = new Map<number, number>();
  const levelOf = (hook: number, path: readonly number[]): number => {
    const known = level.get(hook);
    if (known !== undefined) return known;
    if (path.includes(hook)) {
      // The path was walked against the waiting, so the circle reads forward when reversed.
      throw new PlanCycle(
        path
          .slice(path.indexOf(hook))
          .reverse()
          .map((index) => names[index]),
      );
    }
    const found = Math.max(-1, ...before[hook].map((earlier) => levelOf(earlier, [...path, hook]))) + 1;
    level.set(hook, found);
    return found;
  };
  const stages: number[][] = [];
  for (let hook = 0; hook < names.length; hook++) levelOf(hook, []);
  for (let hook = 0; hook < names.length; hook++) {
    const stage = levelOf(hook, []);
    while (stages.length <= stage) stages.push([]);
    stages[stage].push(hook);
  }
  return stages;
}
