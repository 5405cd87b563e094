import { formatCount } from "@coppice/engine/figures";
import type { TreeView, TriedIdea } from "@coppice/ideas/view";
import { useMemo } from "preact/hooks";
import type { LegendKey } from "../chart/chart-frame.tsx";
import type { Palette } from "../theme.ts";
import type { ToolTabProps } from "../tools.tsx";
import type { DrawnNode } from "./drawn-tree.ts";
import { Fact, IdeaDetail, spentText } from "./idea-detail.tsx";
import { TreeChart } from "./tree-chart.tsx";
import { MOST_LETTERS, shortened } from "./tree-scene.ts";

const colours: Readonly<Record<TriedIdea["fate"], keyof Palette>> = {
  root: "ink",
  promoted: "accent",
  provisional: "third",
  passed: "good",
  rejected: "muted",
  failed: "bad",
  running: "warn",
  queued: "line",
};

const meanings: readonly (readonly [TriedIdea["fate"], string])[] = [
  ["promoted", "promoted"],
  ["provisional", "would be promoted"],
  ["passed", "passed the gate"],
  ["rejected", "turned down"],
  ["failed", "failed"],
  ["running", "running"],
  ["queued", "queued"],
];

/** The colours that are there, and what they mean. */
function legendOf(ideas: readonly TriedIdea[]): readonly LegendKey[] {
  const fates = new Set(ideas.map(({ fate }) => fate));
  return meanings.flatMap(([fate, text]) => (fates.has(fate) ? [{ colour: colours[fate], text }] : []));
}

/** A tree of ideas: which were tried upon which, which were kept, and why. */
export function IdeaTree({ view, run }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const tree = view as TreeView;
  const { ideas, money, tokens, depths, stopReason } = tree;
  const nodes = useMemo(() => ideas.map(drawn), [ideas]);
  const count = (fate: string) => formatCount(ideas.filter((idea) => idea.fate === fate).length);
  return (
    <>
      <p class="muted">
        {formatCount(ideas.length - 1)} ideas tried, {formatCount(depths)} depths complete, {count("promoted")}{" "}
        promoted, {count("failed")} failed; {stopReason?.replaceAll("_", " ") ?? "it goes on"}
      </p>
      {(money > 0 || tokens > 0) && <Costs tree={tree} />}
      <TreeChart
        title="Idea tree"
        unit="score against the root; a larger dot is better, the bold path leads to the best; (n0001): the node it was promoted to"
        legend={legendOf(ideas)}
        nodes={nodes}
        things="ideas"
        table={() => ({
          columns: ["id", "idea", "on", "state", "score", "rank", "node", "seconds", "cost", "why"],
          rows: ideas
            .slice(1)
            .map(({ id, name, parent, fate, score, rank, node, seconds, why, ...cost }) => [
              ...[id, name, ideas[parent ?? 0].node ?? "", fate, score ?? "", rank === null ? "" : rank + 1],
              ...[node ?? "", seconds ?? "", spentText(cost), why],
            ]),
        })}
        says={(idea) => ideas[idea].why}
        detail={(idea) => (
          <IdeaDetail tree={tree} idea={ideas[idea]} path={`/api/runs/${run.place}/${encodeURIComponent(run.id)}`} />
        )}
      />
    </>
  );
}

/** What was spent: in all, by step and by depth. */
function Costs({ tree }: { readonly tree: TreeView }) {
  return (
    <dl class="facts">
      <Fact name="Cost" value={spentText(tree)} />
      {Object.entries(tree.costs).map(([step, cost]) => (
        <Fact key={step} name={`of ${step}`} value={spentText(cost)} />
      ))}
      {tree.depthCosts.map((cost, depth) => (
        <Fact key={depth} name={`of depth ${depth}`} value={spentText(cost)} />
      ))}
    </dl>
  );
}

function drawn({ id, name, parent, fate, best, node, score }: TriedIdea): DrawnNode {
  const before = `${id}${node === null || parent === null ? "" : ` (n${node})`} `;
  // Four digits, and no zero below zero.
  const after = score === null ? "" : ` ${(Math.round(score * 10_000) / 10_000 + 0).toFixed(4)}`;
  // What is too long is the name's, so that the score is there to be read.
  const short = shortened(name.replace(/\.md$/i, ""), MOST_LETTERS - before.length - after.length);
  return {
    parent,
    label: `${before}${short}${after}`,
    colour: colours[fate],
    best,
    isKept: node !== null,
    isClosed: false,
    weight: score,
  };
}
