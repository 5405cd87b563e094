import { formatCount, formatValue } from "@coppice/engine/figures";
import type { TreeView } from "@coppice/ideas/view";
import { useMemo, useState } from "preact/hooks";
import { ChartFrame } from "../chart/chart-frame.tsx";
import type { ToolTabProps } from "../tools.tsx";
import { IdeaDetail } from "./idea-detail.tsx";
import { TreeCanvas } from "./tree-canvas.tsx";
import { layOut, openAtFirst } from "./tree-layout.ts";
import { fitted, legend, treeScene } from "./tree-scene.ts";

/** A tree of ideas: which were tried upon which, which were kept, and why. */
export function IdeaTree({ view }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const tree = view as TreeView;
  const { ideas, money, tokens, depths, stopReason } = tree;
  const [open, setOpen] = useState(() => openAtFirst(tree));
  const [key, setKey] = useState<string | undefined>(() => lastOfBest(tree));
  const [readout, setReadout] = useState("");
  const layout = useMemo(() => layOut(tree, open), [tree, open]);
  const chosen = layout.places.find((place) => place.key === key);
  const toggle = (idea: number): void => {
    const opened = new Set(open === "all" ? ideas.keys() : open);
    if (!opened.delete(idea)) opened.add(idea);
    setOpen(opened);
    setKey(String(idea));
  };
  const count = (fate: string) => formatCount(ideas.filter((idea) => idea.fate === fate).length);
  return (
    <>
      <p class="muted">
        {formatCount(ideas.length - 1)} ideas tried, {formatCount(depths)} depths complete, {count("promoted")}{" "}
        promoted, {count("failed")} failed; {stopReason ?? "it goes on"}
        {money > 0 && `; costs ${formatValue(money)}`}
        {tokens > 0 && `; ${formatCount(tokens)} tokens`}
      </p>
      <div class="tree-and-idea">
        <ChartFrame
          title="Idea tree"
          unit="score against the root; a larger dot is better, the bold path leads to the best"
          legend={legend}
          readout={readout}
          table={() => ({
            columns: ["id", "idea", "on", "state", "score", "rank", "node", "seconds", "why"],
            rows: ideas
              .slice(1)
              .map(({ id, name, parent, fate, score, rank, node, seconds, why }) => [
                ...[id, name, ideas[parent ?? 0].node ?? "", fate, score ?? "", rank === null ? "" : rank + 1],
                ...[node ?? "", seconds ?? "", why],
              ]),
          })}
          scene={() => {
            const room = { width: 1600, height: Math.min(4000, Math.max(400, layout.height + 40)) };
            return treeScene(tree, layout, fitted(layout, room), chosen, room);
          }}
        >
          <TreeCanvas
            view={tree}
            layout={layout}
            chosen={chosen}
            onChoose={(place) => (place.folded > 0 ? toggle(place.idea) : setKey(place.key))}
            onToggle={toggle}
            onPoint={(place) => setReadout(place === undefined ? "" : ideas[place.idea].why)}
          />
          <div class="row">
            <button
              type="button"
              aria-pressed={open === "all"}
              onClick={() => setOpen(open === "all" ? new Set<number>() : "all")}
            >
              {open === "all" ? "Only the best of each node" : `All ${formatCount(ideas.length - 1)} ideas`}
            </button>
            <span class="small muted">
              Drag to move, + and − to zoom, arrow keys to go from idea to idea, Enter to fold or unfold one.
            </span>
          </div>
        </ChartFrame>
        {chosen !== undefined && <IdeaDetail tree={tree} idea={ideas[chosen.idea]} />}
      </div>
    </>
  );
}

function lastOfBest({ ideas }: TreeView): string | undefined {
  const last = ideas.findLastIndex(({ best }) => best);
  return last < 0 ? undefined : String(last);
}
