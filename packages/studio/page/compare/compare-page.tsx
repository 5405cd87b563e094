import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Comparison, RunDetail } from "../../src/wire.ts";
import { LineChart } from "../chart/line-chart.tsx";
import { TablePanel } from "../chart/plain-table.tsx";
import { ask } from "../connection.ts";
import { link } from "../route.ts";
import { StateMark } from "../state-mark.tsx";
import { toolOf } from "../tools.tsx";

/** Two runs side by side: the first task at which they differ, what was asked of them, and their curves. */
export function ComparePage({ of: [placeA, a, placeB, b] }: { readonly of: readonly string[] }) {
  const compared = useSignal<Comparison | undefined>(undefined);
  const views = useSignal<readonly [object, object] | undefined>(undefined);
  const said = useSignal("");
  useEffect(() => {
    document.title = `Runs ${a} and ${b} · Coppice studio`;
    const query = new URLSearchParams({ placeA, a, placeB, b });
    ask<Comparison>(`/api/compare?${query}`)
      .then((found) => {
        compared.value = found;
        const tool = found.runs[0].start?.tool;
        if (tool === found.runs[1].start?.tool && toolOf(tool).Difference !== undefined) return bothViews(found.runs);
        return undefined;
      })
      .then((both) => {
        views.value = both;
      })
      .catch((error: Error) => {
        said.value = error.message;
      });
  }, [placeA, a, placeB, b, compared, views, said]);
  if (said.value !== "") return <div class="notice">{said.value}</div>;
  if (compared.value === undefined) return <p class="muted">Reading both runs …</p>;
  const { runs, diff, verdict, facts } = compared.value;
  const { Difference } = toolOf(runs[0].start?.tool);
  return (
    <>
      <div class="row">
        <h1>
          Runs {a} and {b}
        </h1>
        {runs.map((run) => (
          <span key={run.directory}>
            <a href={link("run", run.place, run.id)}>Run {run.id}</a> <StateMark state={run.state} />
          </span>
        ))}
      </div>
      <div class={diff.same ? "notice good" : "notice"}>{verdict}</div>
      {runs.some(({ curve }) => curve.length > 0) && (
        <LineChart
          title="Convergence of both"
          xName="tasks told"
          yName="best value"
          unit={
            ["tool", "evaluator"].every((what) => facts.find(({ name }) => name === what)?.same)
              ? "in the search's own unit"
              : "each in its own search's unit, which may not be the same"
          }
          series={[
            { name: `run ${a}`, colour: "accent", points: pointsOf(runs[0]) },
            { name: `run ${b}`, colour: "bad", points: pointsOf(runs[1]) },
          ]}
        />
      )}
      {Difference !== undefined && views.value !== undefined && <Difference views={views.value} />}
      <TablePanel
        title="Settings of both"
        columns={["What", `Run ${a}`, `Run ${b}`, "Remark"]}
        rows={facts.map(({ name, values, same }) => [name, ...values, same ? "the same" : ""])}
      />
    </>
  );
}

function pointsOf({ curve }: RunDetail): readonly (readonly [number, number])[] {
  return curve.map(({ told, best }) => [told, best]);
}

function bothViews(runs: Comparison["runs"]): Promise<readonly [object, object]> {
  const view = ({ place, id }: RunDetail) => ask<object>(`/api/runs/${place}/${encodeURIComponent(id)}/view`);
  return Promise.all([view(runs[0]), view(runs[1])]);
}
