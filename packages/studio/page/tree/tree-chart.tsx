import { formatCount } from "@coppice/engine/figures";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { ChartFrame, type LegendKey } from "../chart/chart-frame.tsx";
import type { ChartTable } from "../chart/save.ts";
import type { DrawnTree } from "./drawn-tree.ts";
import { TreeCanvas } from "./tree-canvas.tsx";
import { layOut, openAtFirst } from "./tree-layout.ts";
import { fitted, heightOf, treeScene } from "./tree-scene.ts";

interface TreeChartProps {
  readonly title: string;
  readonly unit: string;
  readonly legend: readonly LegendKey[];
  readonly nodes: DrawnTree;
  /** What nodes are called: `ideas`. */
  readonly things: string;
  readonly table: () => ChartTable;
  /** What is said of a node under the pointer. */
  readonly says: (node: number) => string;
  /** What stands beside the tree of the node that is chosen. */
  readonly detail: (node: number) => ComponentChildren;
}

/** Width of a picture that is saved. */
const SAVED = 1600;

/** A tree that is moved, zoomed, folded and unfolded, and the chosen node beside it. */
export function TreeChart({ title, unit, legend, nodes, things, table, says, detail }: TreeChartProps) {
  const [open, setOpen] = useState(() => openAtFirst(nodes));
  const [key, setKey] = useState<string | undefined>(() => lastOfBest(nodes));
  const [readout, setReadout] = useState("");
  const [width, setWidth] = useState(SAVED);
  const layout = useMemo(() => layOut(nodes, open, width), [nodes, open, width]);
  const chosen = layout.places.find((place) => place.key === key);
  const toggle = (node: number): void => {
    const opened = new Set(open === "all" ? nodes.keys() : open);
    if (!opened.delete(node)) opened.add(node);
    setOpen(opened);
    setKey(String(node));
  };
  return (
    <div class="tree-and-idea">
      <ChartFrame
        title={title}
        unit={unit}
        legend={legend}
        readout={readout}
        table={table}
        scene={() => {
          const saved = layOut(nodes, open, SAVED);
          const room = { width: SAVED, height: heightOf(saved, SAVED) };
          return treeScene(nodes, saved, fitted(saved, room), chosen, room);
        }}
      >
        <TreeCanvas
          nodes={nodes}
          layout={layout}
          chosen={chosen}
          onWidth={setWidth}
          onChoose={(place) => (place.folded > 0 ? toggle(place.idea) : setKey(place.key))}
          onToggle={toggle}
          says={says}
          onSay={setReadout}
        />
        <div class="row">
          {(open !== "all" || openAtFirst(nodes) !== "all") && (
            <button
              type="button"
              aria-pressed={open === "all"}
              onClick={() => setOpen(open === "all" ? new Set<number>() : "all")}
            >
              {open === "all" ? "Only the best of each node" : `All ${formatCount(nodes.length - 1)} ${things}`}
            </button>
          )}
          <span class="small muted">
            Drag to move, + and − to zoom, arrow keys to go from node to node, Enter to fold or unfold one.
          </span>
        </div>
      </ChartFrame>
      {chosen !== undefined && detail(chosen.idea)}
    </div>
  );
}

function lastOfBest(nodes: DrawnTree): string | undefined {
  const last = nodes.findLastIndex(({ best }) => best);
  return last < 0 ? undefined : String(last);
}
