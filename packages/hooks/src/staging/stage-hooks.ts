import { type Hook, hookIdentity } from "../settings/hook.ts";
import type { HookOptions } from "../settings/hook-options.ts";
import { matches, USUAL_PATIENCE_MS } from "../settings/matcher.ts";
import { blockEdges, type Edge, findEdges } from "./edges.ts";
import type { ResourceRoots } from "./resource.ts";

/** Which hooks run at the same time, and why the others wait. Numbers are positions in `hooks`. */
export interface Staging {
  readonly hooks: readonly Hook[];
  /** The order "one by one" means: that of the list, where nobody stands before a hook it is `after`. */
  readonly order: readonly number[];
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
export function stageHooks(
  hooks: readonly Hook[],
  roots: ResourceRoots,
  onBlock: HookOptions["onBlock"] = "finish",
): Staging {
  const conflicts = findEdges(hooks, roots);
  const names = hooks.map((hook) => hook.name);
  try {
    const free = findStages(names, conflicts);
    const order = orderOf(hooks, conflicts);
    if (onBlock === "finish") return { hooks, order, stages: free, edges: conflicts, serialBecause: undefined };
    const edges = [...conflicts, ...blockEdges(hooks, order)];
    return { hooks, order, stages: findStages(names, edges), edges, serialBecause: undefined };
  } catch (error) {
    if (!(error instanceof WaitingCircle)) throw error;
    return listStaging(hooks, conflicts, error.message);
  }
}

/** One hook per stage, in list order. */
export function listStaging(hooks: readonly Hook[], edges: readonly Edge[], because: string): Staging {
  return oneByOne({ hooks, order: hooks.map((_, index) => index), edges }, because);
}

/** One hook per stage, in the order of a staging. */
export function oneByOne({ hooks, order, edges }: Omit<Staging, "stages" | "serialBecause">, because: string): Staging {
  return { hooks, order, stages: order.map((index) => [index]), edges, serialBecause: because };
}

/** Always the first of the list that waits for nobody any more; there must not be a circle. */
function orderOf(hooks: readonly Hook[], edges: readonly Edge[]): readonly number[] {
  if (edges.every(({ from, to }) => from < to)) return [...hooks.keys()];
  const order: number[] = [];
  const left = new Set(hooks.keys());
  while (left.size > 0) {
    const waiting = new Set(edges.filter(({ from }) => left.has(from)).map(({ to }) => to));
    const next = [...left].find((index) => !waiting.has(index)) ?? 0;
    order.push(next);
    left.delete(next);
  }
  return order;
}

/** Hooks that wait for each other in a circle. */
class WaitingCircle extends Error {
  constructor(names: readonly string[]) {
    super(`these hooks wait for each other: ${[...names, names[0]].join(" → ")}; remove one "after"`);
  }
}

/** Longest-path levels of the graph, each in list order; throws {@link WaitingCircle} naming the hooks. */
export function findStages(names: readonly string[], edges: readonly Edge[]): readonly (readonly number[])[] {
  const before: number[][] = names.map(() => []);
  for (const { from, to } of edges) before[to].push(from);
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
