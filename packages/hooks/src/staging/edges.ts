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
  for (const [to, late] of touchers.entries()) {
    for (const [from, early] of touchers.entries()) {
      if (from === to) continue;
      // Whoever stands earlier but wants to be after the other one has said which way round it is.
      const inListOrder = from < to && !early.hook.after.includes(late.hook.name);
      const reasons: EdgeReason[] = inListOrder ? conflicts(early, late) : [];
      if (late.hook.after.includes(early.hook.name)) reasons.unshift({ kind: "after" });
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

function conflicts(early: Toucher, late: Toucher): EdgeReason[] {
  // A hook nobody described says more about the edge than the resource `*` would; what it meets is left unsaid.
  const undeclared = [early.hook, late.hook].find(({ touches }) => touches === undefined);
  if (undeclared !== undefined) return [{ kind: "alone", undeclared: undeclared.name }];
  return [
    ...meetings("write-write", early.writes, late.writes),
    ...meetings("write-read", early.writes, late.reads),
    ...meetings("read-write", early.reads, late.writes),
  ];
}

/** Plain loops: this runs for every pair of hooks before the first of them can start. */
function meetings(kind: ConflictKind, earlier: readonly Resource[], later: readonly Resource[]): EdgeReason[] {
  const found: EdgeReason[] = [];
  for (const mine of later) {
    for (const theirs of earlier) {
      if (resourcesOverlap(mine.path, theirs.path)) found.push({ kind, resource: mine.text, earlier: theirs.text });
    }
  }
  return found;
}
