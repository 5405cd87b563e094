import type { FlowView, FrontView, RootsView, SearchView, WalkersView } from "@coppice/airspace/view";
import { formatCount, formatValue } from "@coppice/engine/figures";
import { useMemo } from "preact/hooks";
import { type Dot, DotChart, type Link } from "../chart/dot-chart.tsx";
import { LineChart } from "../chart/line-chart.tsx";
import { TablePanel } from "../chart/plain-table.tsx";
import type { ToolTabProps } from "../tools.tsx";
import { PlanTree } from "./plan-tree.tsx";
import { walkersPicture } from "./walkers-picture.ts";

/** How a plan was found: who searched, the tree it goes back to, and what else was found beside it. */
export function FlowSearch({ view }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const { search, weights } = view as FlowView;
  if (search === undefined) return <p class="muted">How the plan was found is known when the run is done.</p>;
  const { by, tree, front, weather, evaluations } = search;
  return (
    <>
      {front !== undefined && <Front front={front} own={weights.delayMinute} />}
      {weather !== undefined && <Weather {...weather} />}
      {by.kind === "roots" ? (
        <Roots {...by} evaluations={evaluations} />
      ) : (
        <Walkers {...by} evaluations={evaluations} />
      )}
      {tree !== undefined && tree.parent.length > 0 && <PlanTree tree={tree} />}
    </>
  );
}

/** The first part of the evaluations, in which the objective falls so far that the rest would look flat, is left out. */
const LEFT_OUT = 0.02;

function Roots({ roots, bestRoot, evaluations }: RootsView & Pick<SearchView, "evaluations">) {
  const drawn = roots
    .filter(({ convergence }) => convergence.length > 0)
    .toSorted((a, b) => Number(a.root === bestRoot) - Number(b.root === bestRoot));
  const from = LEFT_OUT * drawn.reduce((most, root) => Math.max(most, root.evaluations), 0);
  const series = drawn.map(({ root, evaluations: took, convergence }) => {
    const begun = convergence.findLast(([at]) => at <= from) ?? convergence[0];
    const later = convergence.filter(([at]) => at > from);
    const last = later.at(-1) ?? begun;
    const points = [[Math.max(from, begun[0]), begun[1]] as const, ...later, [took, last[1]] as const];
    return {
      name: root === bestRoot ? `root ${root}, the best` : `root ${root}`,
      colour: root === bestRoot ? ("accent" as const) : ("muted" as const),
      points,
    };
  });
  return (
    <>
      {series.length > 0 && (
        <LineChart
          title="Convergence"
          xName="evaluations of a root"
          yName="best J"
          unit={`${formatCount(evaluations)} plans evaluated in ${formatCount(roots.length)} ${roots.length === 1 ? "root" : "roots"}`}
          series={series}
        />
      )}
      <TablePanel
        title="Roots"
        columns={["Root", "Seed", "Evaluations", "J", "Remark"]}
        rows={roots.map(({ root, seed, evaluations: took, objective, failure }) => [
          ...[root, seed, took, objective ?? "", root === bestRoot ? "the best" : (failure ?? "")],
        ])}
      />
    </>
  );
}

function Walkers({ evaluations, ...by }: WalkersView & Pick<SearchView, "evaluations">) {
  const { dots, links, ticks, rows } = useMemo(() => walkersPicture(by), [by.rounds]);
  const { bestAt } = by;
  const columns = ["Round", "Temperature", "Evaluations", "Best J so far", "Least J at its end", "Most", "Handed on"];
  const where = bestAt === undefined ? "" : `; the best by walker ${bestAt.walker} in round ${bestAt.round}`;
  return (
    <>
      <DotChart
        title="Walkers"
        xName="round: temperature"
        yName="J at its end"
        unit={`${formatCount(evaluations)} plans evaluated by ${formatCount(by.walkers)} ${by.walkers === 1 ? "walker" : "walkers"} in ${formatCount(by.rounds.length)} rounds${where}`}
        legend={[
          { colour: "muted", text: "a walker" },
          { colour: "warn", text: "went on with another's plan" },
          { colour: "accent", text: "the way to the best plan" },
        ]}
        dots={dots}
        links={links}
        ticks={ticks}
        table={() => ({ columns, rows })}
      />
      <TablePanel title="Rounds" columns={columns} rows={rows} />
    </>
  );
}

/** What delay buys: minutes of delay across, flights above capacity up, a plan for each price of a minute. */
function Front({ front, own }: { readonly front: readonly FrontView[]; readonly own: number }) {
  const { dots, links } = useMemo(() => {
    const way = front.filter(({ onFront }) => onFront).toSorted((a, b) => a.delayMinutes - b.delayMinutes);
    return {
      dots: front.map((point): Dot => {
        const { delayMinute, delayMinutes, exceedance, regulations, objective, onFront } = point;
        return {
          x: delayMinutes,
          y: exceedance,
          colour: onFront ? "accent" : "muted",
          marked: delayMinute === own,
          says: `price ${delayMinute}: ${formatCount(delayMinutes)} minutes of delay, ${formatCount(exceedance)} flights above capacity, ${regulations} regulations, J ${formatValue(objective)}`,
        };
      }),
      links: way.slice(1).map((point, at): Link => {
        const before = way[at];
        return {
          from: [before.delayMinutes, before.exceedance],
          to: [point.delayMinutes, point.exceedance],
          colour: "accent",
        };
      }),
    };
  }, [front]);
  const columns = ["Price of a minute", "Minutes of delay", "Flights above capacity", "Regulations", "J at that price"];
  const rows = front.map(({ delayMinute, delayMinutes, exceedance, regulations, objective }) => [
    ...[delayMinute, delayMinutes, exceedance, regulations, objective],
  ]);
  return (
    <>
      <DotChart
        title="What delay buys"
        xName="minutes of delay"
        yName="flights above capacity"
        unit="a plan for each price of a minute"
        legend={[
          { colour: "accent", text: "a price; with an edge: that of this run" },
          { colour: "muted", text: "beaten in both by another" },
        ]}
        dots={dots}
        links={links}
        table={() => ({ columns, rows })}
      />
      <TablePanel title="Front" columns={columns} rows={rows} />
    </>
  );
}

function Weather({ columns, rows, says }: NonNullable<SearchView["weather"]>) {
  return (
    <>
      <TablePanel title="Weather" columns={columns} rows={rows} />
      <p class="muted">Mean J over draws: {says}.</p>
    </>
  );
}
