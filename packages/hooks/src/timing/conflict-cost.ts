import type { Edge, EdgeReason } from "../staging/edges.ts";
import type { Staging } from "../staging/stage-hooks.ts";
import { findStages } from "../staging/stage-hooks.ts";

/** How much longer an event takes because of one cause of waiting. */
export interface ConflictCost {
  readonly cause: string;
  readonly costMs: number;
}

const SHOWN = 3;

/** For every hook that waits and every undeclared one: the critical path with it minus the one without, largest first. */
export function conflictCosts(staging: Staging, meanMs: ReadonlyMap<string, number>): readonly ConflictCost[] {
  const names = staging.hooks.map((hook) => hook.name);
  const lengthMs = (edges: readonly Edge[]): number =>
    findStages(names, edges)
      .map((stage) => stage.filter((i) => !staging.hooks[i].background).map((i) => meanMs.get(names[i]) ?? 0))
      .reduce((sum, stage) => sum + Math.max(0, ...stage), 0);
  if (staging.serialBecause !== undefined) return [];
  const causes = new Set(staging.edges.flatMap((edge) => edge.reasons.map((reason) => causeOf(staging, edge, reason))));
  const withAllMs = lengthMs(staging.edges);
  return [...causes]
    .map((cause) => ({ cause, costMs: withAllMs - lengthMs(withoutCause(staging, cause)) }))
    .sort((a, b) => b.costMs - a.costMs || (a.cause < b.cause ? -1 : 1));
}

function withoutCause(staging: Staging, cause: string): readonly Edge[] {
  return staging.edges
    .map((edge) => ({ ...edge, reasons: edge.reasons.filter((reason) => causeOf(staging, edge, reason) !== cause) }))
    .filter((edge) => edge.reasons.length > 0);
}

/** A hook nobody described is a cause of its own; otherwise all reasons of a waiting hook count as one, as one alone may change nothing. */
function causeOf(staging: Staging, edge: Edge, reason: EdgeReason): string {
  if (reason.kind === "block") return `stopping at the first block ("onBlock": "stop")`;
  if (reason.kind === "alone") return `${reason.undeclared} running alone`;
  const waiting = staging.edges.filter(
    ({ to, reasons }) => to === edge.to && reasons.some(({ kind }) => kind !== "alone" && kind !== "block"),
  );
  const subjects = waiting.flatMap(({ from, reasons }) =>
    reasons.flatMap((each) =>
      each.kind === "alone" || each.kind === "block"
        ? []
        : [each.kind === "after" ? `after ${staging.hooks[from].name}` : each.resource],
    ),
  );
  const names = waiting.map(({ from }) => staging.hooks[from].name);
  return `${staging.hooks[edge.to].name} waiting for ${some(names)} (${some([...new Set(subjects)])})`;
}

function some(names: readonly string[]): string {
  return names.length <= SHOWN
    ? names.join(", ")
    : `${names.slice(0, SHOWN).join(", ")} and ${names.length - SHOWN} more`;
}
