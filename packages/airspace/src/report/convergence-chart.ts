import { formatCount, type Markup, markup, valueTicks } from "@coppice/engine";
import type { RootSummary } from "../planner/root-search.ts";
import { plotFrame } from "./plot-frame.ts";

/** The first part of the evaluations, in which the objective falls so far that the rest would look flat, is cut off above. */
const CUT = 0.02;

/** Best objective over evaluations, a line per root, the best one on top; a mark where its tree ends and annealing begins. */
export function convergenceChart(
  roots: readonly RootSummary[],
  bestRoot: number | undefined,
  treeEvaluations: number,
): Markup {
  const drawn = roots.filter(({ convergence }) => convergence.length > 0);
  if (drawn.length === 0) return markup`<p class="empty">No root came to an end.</p>`;
  const most = Math.max(...drawn.map(({ evaluations }) => evaluations));
  const highest = Math.max(...drawn.map(({ convergence }) => reached(convergence, CUT * most)));
  const frame = plotFrame(
    [0, most],
    [Math.min(...drawn.map(({ convergence }) => reached(convergence, most))), highest],
  );
  const { x } = frame;
  const y = (objective: number) => frame.y(Math.min(objective, highest));
  const ordered = drawn.toSorted((a, b) => Number(a.root === bestRoot) - Number(b.root === bestRoot));
  const lines = ordered.map(({ root, objective, evaluations, convergence }) => {
    const [[firstAt, first], ...later] = convergence;
    const steps = later.map(([at, value]) => `H${x(at)}V${y(value)}`).join("");
    return markup`<path class="root-line${root === bestRoot ? " best" : ""}" d="M${x(firstAt)},${y(first)}${steps}H${x(evaluations)}"><title>root ${root}: ${objective?.toFixed(1) ?? ""}</title></path>`;
  });
  const phase =
    treeEvaluations > 0 && treeEvaluations < most
      ? markup`<line class="phase" x1="${x(treeEvaluations)}" x2="${x(treeEvaluations)}" y1="${frame.top}" y2="${frame.bottom}"/><text class="tick" x="${x(treeEvaluations) + 5}" y="${frame.top + 12}">tree | annealing</text>`
      : undefined;
  return markup`<figure class="chart"><svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="Best objective over evaluations">
${frame.axes(valueTicks(0, most, 8), formatCount, "evaluations of a root", "best J")}
${phase}${lines}</svg></figure>`;
}

/** The best objective after so many evaluations. */
function reached(convergence: RootSummary["convergence"], evaluations: number): number {
  const [[, first]] = convergence;
  return convergence.findLast(([at]) => at <= evaluations)?.[1] ?? first;
}
