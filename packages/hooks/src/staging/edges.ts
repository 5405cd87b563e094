import { type Hook, isWriter } from "../settings/hook.ts";
import { linkFollower, normaliseResource, type ResourceRoots, resourcesOverlap } from "./resource.ts";

type ConflictKind = "write-read" | "write-write" | "read-write";

/** Why one hook has to wait for another. */
export type EdgeReason =
  /** The resource as the waiting hook and the earlier hook call it. */
  | { readonly kind: ConflictKind; readonly resource: string; readonly earlier: string }
  | { readonly kind: "alone"; readonly undeclared: string }
  | { readonly kind: "after" }
  /** With `onBlock: "stop"`: had the earlier one blocked, this one would not have written. */
  | { readonly kind: "block" };

/** Hook `to` may start only when hook `from` has ended; numbers are positions in the list. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly reasons: readonly EdgeReason[];
}

/** A hook with its resources as written and in one spelling. */
interface Toucher {
  readonly hook: Hook;
  readonly reads: readonly Resource[];
  readonly writes: readonly Resource[];
}

interface Resource {
  readonly text: string;
  readonly path: string;
}

/** All edges of a list: conflicts are settled in list order, unless `after` says otherwise. */
export function findEdges(hooks: readonly Hook[], roots: ResourceRoots): readonly Edge[] {
  const followLinks = linkFollower();
  const spelled = (texts: readonly string[] = []): readonly Resource[] =>
    texts.map((text) => ({ text, path: followLinks(normaliseResource(text, roots)) }));
  const touchers = hooks.map(
    (hook): Toucher => ({
      hook,
      reads: spelled(hook.touches?.reads),
      // Calls of one module share its memory and its thread.
      writes: spelled([
        ...(hook.touches?.writes ?? []),
        ...(hook.module === undefined ? [] : [`module:${hook.module}`]),
      ]),
    }),
  );
  const edges: Edge[] = [];
  // Plain loops: this runs for every pair of hooks before the first of them can start.
  for (let to = 0; to < touchers.length; to++) {
    const late = touchers[to];
    // Only who is `after` somebody may wait for what stands behind it.
    const end = late.hook.after.length === 0 ? to : touchers.length;
    for (let from = 0; from < end; from++) {
      if (from === to) continue;
      const early = touchers[from];
      const reasons: EdgeReason[] = late.hook.after.includes(early.hook.name) ? [{ kind: "after" }] : [];
      // Whoever stands earlier but wants to be after the other one has said which way round it is.
      if (from < to && !early.hook.after.includes(late.hook.name)) addConflicts(reasons, early, late);
      if (reasons.length > 0) edges.push({ from, to, reasons });
    }
  }
  return edges;
}

/** What `onBlock: "stop"` adds: whoever leaves something behind waits for all before it in `order`, as any may block. */
export function blockEdges(hooks: readonly Hook[], order: readonly number[]): readonly Edge[] {
  return order.flatMap((to, position) => {
    const leavesSomething = isWriter(hooks[to]) || hooks[to].background;
    return leavesSomething ? order.slice(0, position).map((from) => ({ from, to, reasons: [{ kind: "block" }] })) : [];
  });
}

function addConflicts(reasons: EdgeReason[], early: Toucher, late: Toucher): void {
  // A hook nobody described says more about the edge than the resource `*` would; what it meets is left unsaid.
  if (early.hook.touches === undefined) reasons.push({ kind: "alone", undeclared: early.hook.name });
  else if (late.hook.touches === undefined) reasons.push({ kind: "alone", undeclared: late.hook.name });
  else {
    addMeetings(reasons, "write-write", early.writes, late.writes);
    addMeetings(reasons, "write-read", early.writes, late.reads);
    addMeetings(reasons, "read-write", early.reads, late.writes);
  }
}

function addMeetings(
  reasons: EdgeReason[],
  kind: ConflictKind,
  earlier: readonly Resource[],
  later: readonly Resource[],
): void {
  for (const mine of later) {
    for (const theirs of earlier) {
      if (resourcesOverlap(mine.path, theirs.path)) reasons.push({ kind, resource: mine.text, earlier: theirs.text });
    }
  }
}
