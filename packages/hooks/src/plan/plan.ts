import type { Hook } from "../settings/hook.ts";
import { matches } from "../settings/matcher.ts";
import { hookIdentity } from "../settings/read-settings.ts";
import { type Edge, findEdges } from "./edges.ts";
import type { ResourceRoots } from "./resource.ts";
import { findStages, PlanCycle } from "./stages.ts";

/** Which hooks run at the same time, and why the others wait. Numbers are positions in `hooks`. */
export interface Plan {
  readonly hooks: readonly Hook[];
  readonly stages: readonly (readonly number[])[];
  readonly edges: readonly Edge[];
  /** Why the list is run one by one instead, if it is. */
  readonly serialBecause: string | undefined;
}

/** The hooks that an event with this subject sets off: matching groups, identical commands once, first position. */
export function selectHooks(hooks: readonly Hook[], subject: string | undefined): readonly Hook[] {
  const seen = new Set<string>();
  return hooks.filter((hook) => {
    const identity = hookIdentity(hook);
    if (!matches(hook.matcher, subject) || seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}

/** Plans stages; a list whose declarations contradict each other is run in its order, never left out (H-16). */
export function planHooks(hooks: readonly Hook[], roots: ResourceRoots): Plan {
  const edges = findEdges(hooks, roots);
  try {
    const stages = findStages(
      hooks.map((hook) => hook.name),
      edges,
    );
    return { hooks, stages, edges, serialBecause: undefined };
  } catch (error) {
    if (!(error instanceof PlanCycle)) throw error;
    return serialPlan(hooks, edges, error.message);
  }
}

/** One hook per stage, in list order. */
export function serialPlan(hooks: readonly Hook[], edges: readonly Edge[], because: string): Plan {
  return { hooks, stages: hooks.map((_, index) => [index]), edges, serialBecause: because };
}

/** Whether a hook may change something: it declares writes, or declares nothing. */
export function isWriter(hook: Hook): boolean {
  return hook.touches === undefined || hook.touches.writes.length > 0;
}
