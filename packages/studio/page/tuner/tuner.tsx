import { formatCount, formatPercent, formatValue } from "@coppice/engine/figures";
import type { TunerView } from "@coppice/projections/view";
import { useMemo, useState } from "preact/hooks";
import { BarChart } from "../chart/bar-chart.tsx";
import { DotChart } from "../chart/dot-chart.tsx";
import { LineChart } from "../chart/line-chart.tsx";
import { CsvButton, PlainTable, TablePanel } from "../chart/plain-table.tsx";
import { LongText } from "../long-text.tsx";
import { Progress } from "../run/overview.tsx";
import type { ToolTabProps } from "../tools.tsx";
import { ParallelCoordinates } from "./parallel-coordinates.tsx";
import { Slice } from "./slice.tsx";

/** A tuning: what was found, what matters, how every objective answered to every parameter, and all configurations. */
export function Tuner({ view, run }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const tuner = view as TunerView;
  const { lead, notes, objectives, parameters, trials, tried, wins, best, tables, calibration = [] } = tuner;
  const [chosen, setChosen] = useState(0);
  const objective = objectives[chosen];
  const { open = [], folded = [] } = Object.groupBy(tables, (table) => (table.folded === true ? "folded" : "open"));
  return (
    <>
      {run.state === "running" && <Progress run={run} />}
      <section class="panel" aria-label="Tuning">
        <p>{lead}</p>
        {trials.length < tried && (
          <p class="muted">
            {formatCount(trials.length)} of {formatCount(tried)} configurations are shown, evenly chosen.
          </p>
        )}
        {notes.length > 0 && <LongText text={notes.join("\n")} bad />}
        {objectives.length > 1 && (
          <label>
            {tuner.front === undefined ? "Horizon" : "Objective"}{" "}
            <select value={String(chosen)} onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}>
              {objectives.map(({ name }, index) => (
                <option key={name} value={String(index)}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {best[chosen] !== undefined && best[chosen] !== null && (
          <details>
            <summary>
              Best{objectives.length > 1 && ` for ${objective.name}`}:{" "}
              {best[chosen].score === null ? "-" : formatValue(best[chosen].score)} {best[chosen].remark}
            </summary>
            <LongText text={best[chosen].configuration} />
          </details>
        )}
      </section>
      {open.map((table) => (
        <TablePanel key={table.title} {...table} />
      ))}
      {folded.length > 0 && (
        <section class="panel" aria-label="Details">
          {folded.map((table) => (
            <details key={table.title}>
              <summary>{table.title}</summary>
              <CsvButton {...table} />
              <PlainTable {...table} />
            </details>
          ))}
        </section>
      )}
      {objective !== undefined && (
        <div class="beside">
          <BestSoFar tuner={tuner} chosen={chosen} />
          {parameters.length > 0 && <Importances tuner={tuner} chosen={chosen} />}
          {tuner.front !== undefined && <Front tuner={tuner} front={tuner.front} />}
        </div>
      )}
      {wins.some(({ parameter }) => parameter !== "") && <Winners tuner={tuner} />}
      {trials.length > 0 && <ParallelCoordinates tuner={tuner} chosen={chosen} />}
      {trials.length > 0 && <BestConfigurations tuner={tuner} chosen={chosen} />}
      {tuner.front !== undefined && (
        <Configurations title="Points of the Pareto front" tuner={tuner} trials={onFront(tuner)} />
      )}
      {objective !== undefined && (
        <div class="beside">
          {parameters.map(({ name }, index) => (
            <Slice key={name} tuner={tuner} chosen={chosen} parameter={index} />
          ))}
        </div>
      )}
      {calibration.length > 0 && (
        <div class="beside">
          {calibration.map(({ name, bins }) => (
            <DotChart
              key={name}
              title={`Calibration: ${name}`}
              xName="mean projected"
              yName="mean actual"
              unit="points; tenths of the players by projection, the dashed line is perfect"
              legend={[{ colour: "accent", text: "a tenth of the players" }]}
              ideal
              dots={bins.map(([x, y]) => {
                return { x, y, colour: "accent", says: `projected ${formatValue(x)}, actual ${formatValue(y)}` };
              })}
              table={() => ({ columns: ["mean projected", "mean actual"], rows: bins.map(([x, y]) => [x, y]) })}
            />
          ))}
        </div>
      )}
    </>
  );
}

interface PartProps {
  readonly tuner: TunerView;
  readonly chosen: number;
}

function BestSoFar({ tuner: { wins, objectives, tried }, chosen }: PartProps) {
  const series = useMemo(() => {
    const points = wins.flatMap(({ objective, trial, score }) => {
      return objective === chosen ? [[trial + 1, score] as const] : [];
    });
    const last = points.at(-1);
    if (last !== undefined && last[0] < tried) points.push([tried, last[1]]);
    return [{ name: "best so far", colour: "accent", points }] as const;
  }, [wins, chosen]);
  const { name, better, unit } = objectives[chosen];
  return (
    <LineChart
      title="Best so far"
      xName="configurations"
      yName={name}
      unit={`${unit}, ${better} is better`}
      series={series}
    />
  );
}

function Importances({ tuner: { importance, parameters, objectives }, chosen }: PartProps) {
  const bars = useMemo(
    () =>
      parameters
        .map(({ name }, index) => ({ name, value: importance.shares[chosen]?.[index] ?? 0 }))
        .sort((a, b) => b.value - a.value),
    [importance, parameters, chosen],
  );
  return (
    <BarChart
      title="What matters"
      unit={`${objectives[chosen].name}: ${importance.method}`}
      columns={["parameter", importance.unit]}
      bars={bars}
      text={importance.unit.startsWith("share") ? formatPercent : formatValue}
    />
  );
}

function Front({
  tuner: { trials, objectives },
  front,
}: {
  readonly tuner: TunerView;
  readonly front: readonly number[];
}) {
  const [first, second] = objectives;
  const dots = useMemo(() => {
    const best = new Set(front);
    const points = trials.flatMap(({ trial, scores: [x, y] }) => {
      if (x === null || y === null || y === undefined) return [];
      const says = `trial ${trial + 1}: ${first.name} ${formatValue(x)}, ${second.name} ${formatValue(y)}`;
      const isBest = best.has(trial);
      return [{ x, y, colour: isBest ? ("bad" as const) : ("muted" as const), marked: isBest, says, trial }];
    });
    // Those of the front lie on top.
    return points.sort((a, b) => Number(a.marked) - Number(b.marked));
  }, [trials, front]);
  return (
    <DotChart
      title="Pareto front"
      xName={first.name}
      yName={second.name}
      unit={`${first.name}: ${first.better} is better; ${second.name}: ${second.better} is better`}
      legend={[
        { colour: "bad", text: "none is better in every objective" },
        { colour: "muted", text: "others" },
      ]}
      dots={dots}
      table={() => ({
        columns: ["trial", first.name, second.name, "on the front"],
        rows: dots.map(({ trial, x, y, marked }) => [trial + 1, x, y, marked ? "yes" : ""]),
      })}
    />
  );
}

const MOST_LISTED = 100;

/** The best by the objective that is chosen. */
function BestConfigurations({ tuner, chosen }: PartProps) {
  const best = useMemo(() => {
    const sign = tuner.objectives[chosen].better === "lower" ? 1 : -1;
    const scoreOf = ({ scores }: Tried) => sign * (scores[chosen] ?? Number.NaN);
    return tuner.trials
      .filter(({ scores }) => scores[chosen] !== null)
      .sort((a, b) => scoreOf(a) - scoreOf(b) || a.trial - b.trial)
      .slice(0, MOST_LISTED);
  }, [tuner, chosen]);
  const title = `Best ${formatCount(best.length)} by ${tuner.objectives[chosen].name}`;
  return <Configurations title={title} tuner={tuner} trials={best} />;
}

type Tried = TunerView["trials"][number];

const onFront = ({ trials, front = [] }: TunerView) => trials.filter(({ trial }) => front.includes(trial));

function Configurations(props: {
  readonly title: string;
  readonly tuner: TunerView;
  readonly trials: readonly Tried[];
}) {
  const { parameters, objectives } = props.tuner;
  return (
    <TablePanel
      title={props.title}
      columns={["configuration", ...[...objectives, ...parameters].map(({ name }) => name)]}
      rows={props.trials.map(({ trial, values, scores }) => [
        trial + 1,
        ...scores.map((score) => score ?? ""),
        ...values.map((value) => (typeof value === "number" ? value : String(value ?? ""))),
      ])}
    />
  );
}

/** Who won when: pass by pass and parameter by parameter. */
function Winners({ tuner: { wins, objectives } }: { readonly tuner: TunerView }) {
  return (
    <TablePanel
      title="Winners over passes"
      columns={["pass", "parameter", "for", "value", "from the baseline of", objectives[0]?.unit ?? ""]}
      rows={wins.map(({ pass, parameter, objective, value, from, score }) => [
        ...[pass + 1, parameter, objectives[objective].name, value, from, score],
      ])}
    />
  );
}
