import type { Hook } from "../settings/hook.ts";
import { EVERYTHING, normaliseResource, type ResourceRoots, resourcesOverlap } from "./resource.ts";

/** Why one hook has to wait for another. */
export type EdgeReason =
  | {
      readonly kind: "write-read" | "write-write" | "read-write";
      /** As the waiting hook and the earlier hook call it. */
      readonly resource: string;
      readonly earlier: string;
    }
  | { readonly kind: "alone"; readonly undeclared: string }
  | { readonly kind: "after" };

/** Hook `to` may start only when hook `from` has ended; numbers are positions in the list. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly reasons: readonly EdgeReason[];
}

interface Normalised {
  readonly reads: readonly Resource[];
  readonly writes: readonly Resource[];
}

interface Resource {
  readonly text: string;
  readonly path: string;
}

const ALONE: Normalised = {
  reads: [{ text: EVERYTHING, path: EVERYTHING }],
  writes: [{ text: EVERYTHING, path: EVERYTHING }],
};

/** All edges of a list: list order decides the direction of conflicts, `after` its own. */
export function findEdges(hooks: readonly Hook[], roots: ResourceRoots): readonly Edge[] {
  const touched = hooks.map((hook) => normaliseTouches(hook, roots));
  const edges: Edge[] = [];
  for (let to = 0; to < hooks.length; to++) {
    for (let from = 0; from < hooks.length; from++) {
      if (from === to) continue;
      const reasons: EdgeReason[] = [];
      if (hooks[to].after.includes(hooks[from].name)) reasons.push({ kind: "after" });
      if (from < to) reasons.push(...conflicts(hooks[from], touched[from], hooks[to], touched[to]));
      if (reasons.length > 0) edges.push({ from, to, reasons });
    }
  }
  return edges;
}

function conflicts(a: Hook, touchedByA: Normalised, b: Hook, touchedByB: Normalised): readonly EdgeReason[] {
  // A hook nobody described says more about the edge than the resource `*` would; what it meets is left unsaid.
  const undeclared = a.touches === undefined ? a.name : b.touches === undefined ? b.name : undefined;
  if (undeclared !== undefined) return [{ kind: "alone", undeclared }];
  return [
    ...meetings("write-write", touchedByA.writes, touchedByB.writes),
    ...meetings("write-read", touchedByA.writes, touchedByB.reads),
    ...meetings("read-write", touchedByA.reads, touchedByB.writes),
  ];
}

/** Plain loops: this runs for every pair of hooks before the first of them can start. */
function meetings(
  kind: "write-read" | "write-write" | "read-write",
  earlier: readonly Resource[],
  later: readonly Resource[],
): readonly EdgeReason[] {
  const found: EdgeReason[] = [];
  for (const mine of later) {
    for (const theirs of earlier) {
      if (resourcesOverlap(mine.path, theirs.path)) found.push({ kind, resource: mine.text, earlier: theirs.text });
    }
  }
  return found;
}

function normaliseTouches(hook: Hook, roots: ResourceRoots): Normalised {
  if (hook.touches === undefined) return ALONE;
  const all = (texts: readonly string[]): readonly Resource[] =>
    texts.map((text) => ({ text, path: normaliseResource(text, roots) }));
  return { reads: all(hook.touches.reads), writes: all(hook.touches.writes) };
}
