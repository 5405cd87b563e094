import { type Hook, hookIdentity } from "../settings/hook.ts";
import { matches, USUAL_PATIENCE_MS } from "../settings/matcher.ts";
import { type Edge, findEdges } from "./edges.ts";
import type { ResourceRoots } from "./resource.ts";

/** Which hooks run at the same time, and why the others wait. Numbers are positions in `hooks`. */
export interface Staging {
  readonly hooks: readonly Hook[];
  readonly stages: readonly (readonly number[])[];
  readonly edges: readonly Edge[];
  /** Why the list is run one by one instead, if it is. */
  readonly serialBecause: string | undefined;
}

/** The hooks that an event with this subject sets off: matching groups, identical commands once, first position. */
export function selectHooks(hooks: readonly Hook[], subject: string | undefined): readonly Hook[] {
  const first = new Map<string, Hook>();
  const patience = { leftMs: USUAL_PATIENCE_MS };
  for (const hook of hooks.filter(({ matcher }) => matches(matcher, subject, patience))) {
    if (!first.has(hookIdentity(hook))) first.set(hookIdentity(hook), hook);
  }
  return [...first.values()];
}

/** Finds the stages; a list whose declarations contradict each other is run in its order, never left out (H-16). */
export function stageHooks(hooks: readonly Hook[], roots: ResourceRoots): Staging {
  const edges = findEdges(hooks, roots);
  const names = hooks.map((hook) => hook.name);
  try {
    return { hooks, stages: findStages(names, edges), edges, serialBecause: undefined };
  } catch (error) {
    if (!(error instanceof WaitingCircle)) throw error;
    return serialStaging(hooks, edges, error.message);
  }
}

/** One hook per stage, in list order. */
export function serialStaging(hooks: readonly Hook[], edges: readonly Edge[], because: string): Staging {
  return { hooks, stages: hooks.map((_, index) => [index]), edges, serialBecause: because };
}

/** Hooks that wait for each other in a circle. */
class WaitingCircle extends Error {
  constructor(names: readonly string[]) {
    super(`these hooks wait for each other: ${[...names, names[0]].join(" → ")}; remove one "after"`);
  }
}

/** Longest-path levels of the graph, each in list order; throws {@link WaitingCircle} naming the hooks. */
export function findStages(names: readonly string[], edges: readonly Edge[]): readonly (readonly number[])[] {
  const before = names.map((_, to) => edges.filter((edge) => edge.to === to).map((edge) => edge.from));
  const level = new Map<number, number>();
  const levelOf = (hook: number, path: readonly number[]): number => {
    const known = level.get(hook);
    if (known !== undefined) return known;
    if (path.includes(hook)) {
      // The path was walked against the waiting, so the circle reads forward when reversed.
      const circle = path.slice(path.indexOf(hook)).reverse();
      throw new WaitingCircle(circle.map((index) => names[index]));
    }
    const found = Math.max(-1, ...before[hook].map((earlier) => levelOf(earlier, [...path, hook]))) + 1;
    level.set(hook, found);
    return found;
  };
  const stages: number[][] = [];
  for (let hook = 0; hook < names.length; hook++) {
    const stage = levelOf(hook, []);
    while (stages.length <= stage) stages.push([]);
    stages[stage].push(hook);
  }
  return stages;
}
