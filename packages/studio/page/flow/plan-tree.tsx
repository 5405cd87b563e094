import type { SearchView } from "@coppice/airspace/view";
import { formatCount, formatValue } from "@coppice/engine/figures";
import { useMemo } from "preact/hooks";
import { columnFormat } from "../chart/column-format.ts";
import type { DrawnNode } from "../tree/drawn-tree.ts";
import { TreeChart } from "../tree/tree-chart.tsx";

type Tree = NonNullable<SearchView["tree"]>;

/** Below this share of all plans, what is below a plan is folded away at first. */
const FEW_PLANS = 0.05;

/** The plans that a tree search has grown, each one regulation longer than the one it is built on. */
export function PlanTree({ tree }: { readonly tree: Tree }) {
  const { parent, objective, lines, left, prior } = tree;
  const text = useMemo(() => columnFormat(objective), [objective]);
  const { best, visits } = useMemo(() => grown(tree), [parent]);
  const nodes = useMemo(
    () =>
      parent.map((above, plan): DrawnNode => {
        const onBest = best.has(plan);
        return {
          parent: above < 0 ? null : above,
          label: `${formatCount(lines[plan])}: J ${text(objective[plan])}`,
          colour: onBest ? "accent" : above >= 0 && objective[plan] > objective[above] ? "muted" : "good",
          best: onBest,
          isKept: onBest,
          isClosed: !onBest && visits[plan] < FEW_PLANS * parent.length,
          weight: -objective[plan],
        };
      }),
    [parent],
  );
  const gain = (plan: number) => (parent[plan] < 0 ? 0 : objective[parent[plan]] - objective[plan]);
  return (
    <TreeChart
      title="Tree of plans"
      unit={`regulations: J; a larger dot is better, the bold path leads to the best, where annealing went on; visits are those of the tree as it is drawn${left === 0 ? "" : `; ${formatCount(left)} later plans are not drawn`}`}
      legend={[
        { colour: "accent", text: "the way to the best" },
        { colour: "good", text: "better than the plan before" },
        { colour: "muted", text: "not better" },
      ]}
      nodes={nodes}
      things="plans"
      table={() => ({
        columns: ["plan", "built on", "regulations", "J", "visits", "prior"],
        rows: objective.map((value, plan) => [
          ...[
            plan,
            parent[plan] < 0 ? "" : parent[plan],
            lines[plan],
            value,
            visits[plan],
            parent[plan] < 0 ? "" : prior,
          ],
        ]),
      })}
      says={(plan) => `plan ${plan}: ${lines[plan]} regulations, J ${text(objective[plan])}`}
      detail={(plan) => (
        <section class="panel idea" aria-label={`Plan ${plan}`} aria-live="polite">
          <h2>Plan {plan}</h2>
          <dl class="facts">
            <dt>J</dt>
            <dd title={String(objective[plan])}>{text(objective[plan])}</dd>
            <dt>Regulations</dt>
            <dd>{formatCount(lines[plan])}</dd>
            <dt>Built on</dt>
            <dd>{parent[plan] < 0 ? "nothing: it is the root" : `plan ${parent[plan]}`}</dd>
            <dt>Lowers J by</dt>
            <dd>{text(gain(plan))}</dd>
            <dt>Visits</dt>
            <dd>{formatCount(visits[plan])}</dd>
            <dt>Prior</dt>
            <dd>
              {parent[plan] < 0 ? "it is the root" : `${formatValue(prior)}, as of every plan built on the same one`}
            </dd>
          </dl>
        </section>
      )}
    />
  );
}

/** The plans on the way to the best, and how often the search came by each: once with every plan that it grew there. */
function grown({ parent, objective }: Tree) {
  const least = objective.reduce((at, value, plan) => (value < objective[at] ? plan : at), 0);
  const best = new Set<number>();
  for (let plan = least; plan >= 0; plan = parent[plan]) best.add(plan);
  const visits = parent.map(() => 1);
  // Parents come before what is built on them.
  for (let plan = parent.length - 1; plan > 0; plan--) visits[parent[plan]] += visits[plan];
  return { best, visits };
}
