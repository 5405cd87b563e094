import type { SearchTree as Tree } from "@coppice/engine";
import { formatCount, formatValue } from "@coppice/engine/figures";
import { useMemo } from "preact/hooks";
import type { ToolTabProps } from "../tools.tsx";
import type { DrawnNode } from "./drawn-tree.ts";
import { TreeChart } from "./tree-chart.tsx";

/** Below this share of all visits, what is below a node is folded away at first. */
const FEW_VISITS = 0.1;

const text = (value: number | null) => (value === null ? "none" : formatValue(value));

/** The tree that a tree search has grown: where it looked, and what it thinks of it. */
export function SearchTree({ view }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const { nodes, leftOut } = view as Tree;
  const drawn = useMemo(() => nodes.map((node) => drawnNode(node, nodes[0].visits)), [nodes]);
  return (
    <>
      <p class="muted">
        {formatCount(nodes.length)} nodes, {formatCount(nodes[0].visits)} visits
        {leftOut > 0 && `; at least ${formatCount(leftOut)} more that were visited less are not listed`}
      </p>
      <TreeChart
        title="Search tree"
        unit="visits, mean value; a larger dot was visited more often, the bold path is what was visited most"
        legend={[
          { colour: "accent", text: "most visited path" },
          { colour: "good", text: "visited" },
          { colour: "line", text: "not visited" },
        ]}
        nodes={drawn}
        things="nodes"
        table={() => ({
          columns: ["node", "below", "action", "prior", "visits", "value"],
          rows: nodes.map(({ parent, name, prior, visits, value }, at) => [
            ...[at, parent ?? "", name, prior ?? "", visits, value ?? ""],
          ]),
        })}
        says={(at) => `${nodes[at].name}: ${formatCount(nodes[at].visits)} visits, value ${text(nodes[at].value)}`}
        detail={(at) => <NodeDetail node={nodes[at]} at={at} />}
      />
    </>
  );
}

function NodeDetail({ node, at }: { readonly node: Tree["nodes"][number]; readonly at: number }) {
  return (
    <section class="panel idea" aria-label={`Node ${at}`} aria-live="polite">
      <h2>{node.name}</h2>
      <dl class="facts">
        <dt>Visits</dt>
        <dd>{formatCount(node.visits)}</dd>
        <dt>Value</dt>
        <dd title={String(node.value ?? "")}>{node.value === null ? "none yet" : formatValue(node.value)}</dd>
        <dt>Prior</dt>
        <dd title={String(node.prior ?? "")}>{node.prior === null ? "it is the root" : formatValue(node.prior)}</dd>
        <dt>Below</dt>
        <dd>{node.parent === null ? "nothing: it is the root" : `node ${node.parent}`}</dd>
      </dl>
    </section>
  );
}

function drawnNode({ parent, name, visits, value, best }: Tree["nodes"][number], all: number): DrawnNode {
  const short = name.length > 18 ? `${name.slice(0, 17)}…` : name;
  return {
    parent,
    label: `${short}: ${formatCount(visits)}×${value === null ? "" : `, ${formatValue(Number(value.toPrecision(4)))}`}`,
    colour: best ? "accent" : visits > 0 ? "good" : "line",
    best,
    isKept: best,
    isClosed: !best && visits < FEW_VISITS * all,
    weight: visits,
  };
}
