import type { EvaluationResult, TreeId } from "../contract.ts";
import { compareIds } from "../plan/tree-id.ts";

export interface Ranked {
  readonly evalId: TreeId;
  readonly result: EvaluationResult;
}

/** Root-relative score, or else root-relative primary delta; null, the lowest, without either. */
export function rankScore({ rootRelative }: EvaluationResult): number | null {
  return finite(rootRelative.score) ?? finite(rootRelative.primaryDelta);
}

/** Best first: rank, then root-relative primary delta, then the lower id. Does not depend on the order given. */
export function ranked<Evaluation extends Ranked>(evaluations: readonly Evaluation[]): Evaluation[] {
  return evaluations.toSorted(
    (a, b) =>
      descending(rankScore(a.result), rankScore(b.result)) ||
      descending(a.result.rootRelative.primaryDelta, b.result.rootRelative.primaryDelta) ||
      compareIds(a.evalId, b.evalId),
  );
}

/** Of two nodes' results the better: rank, then root-relative primary delta, then the later node; any beats none. */
export function isBetter(
  result: EvaluationResult | undefined,
  than: EvaluationResult | undefined,
  nodeId: TreeId,
  thanNodeId: TreeId,
): boolean {
  if (result === undefined || than === undefined) return result !== undefined;
  const order =
    descending(rankScore(result), rankScore(than)) ||
    descending(result.rootRelative.primaryDelta, than.rootRelative.primaryDelta) ||
    compareIds(thanNodeId, nodeId);
  return order < 0;
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** Missing numbers come last. */
function descending(a: number | null, b: number | null): number {
  const [x, y] = [finite(a), finite(b)];
  if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
  return y - x;
}
