import { formatValue } from "@coppice/engine/figures";
import type { TunerView } from "@coppice/projections/view";
import { useMemo } from "preact/hooks";
import { type Dot, DotChart } from "../chart/dot-chart.tsx";
import { axisOf } from "./axis.ts";

interface SliceProps {
  readonly tuner: TunerView;
  readonly chosen: number;
  readonly parameter: number;
}

const passes = ["accent", "good", "warn", "second", "third"] as const;

/** How one objective answered to one parameter: every configuration, or of a tournament those on the horizon's own baseline. */
export function Slice({ tuner: { trials, parameters, objectives }, chosen, parameter }: SliceProps) {
  const { name } = parameters[parameter];
  const objective = objectives[chosen];
  const { axis, dots, rows, most } = useMemo(() => {
    const own = trials.filter(({ round }) => {
      return round === undefined || (round.parameter === parameter && round.objective === chosen);
    });
    const axis = axisOf(parameters[parameter]);
    const shown = own.flatMap(({ trial, values, scores, round, isBaseline }) => {
      const [value, y] = [values[parameter], scores[chosen]];
      const x = axis.place(value);
      if (value === null || y === null || x === undefined) return [];
      return [{ x, y, value, trial, pass: round?.pass ?? 0, before: isBaseline === true }];
    });
    const dots = shown.map(({ x, y, value, trial, pass, before }): Dot => {
      const says = `${value}: ${formatValue(y)} (${before ? "the value before, " : ""}configuration ${trial + 1})`;
      return { x, y, colour: passes[pass % passes.length], marked: before, says };
    });
    const rows = shown.map(({ value, y, trial, pass, before }) => {
      return [String(value), y, trial + 1, pass + 1, before ? "before" : ""];
    });
    return { axis, dots, rows, most: shown.reduce((last, { pass }) => Math.max(last, pass), 0) };
  }, [trials, parameters, parameter, chosen]);
  if (dots.length === 0) return null;
  const isTournament = trials.some(({ round }) => round !== undefined);
  return (
    <DotChart
      title={`${name} and ${objective.name}`}
      xName={name}
      yName={objective.name}
      unit={`${objective.unit}, ${objective.better} is better${isTournament ? "; everything else as in its baseline" : ""}`}
      legend={
        isTournament
          ? [
              ...Array.from({ length: most + 1 }, (_, pass) => ({
                colour: passes[pass % passes.length],
                text: `pass ${pass + 1}`,
              })),
              { colour: "ink", text: "with an edge: the value before" },
            ]
          : [{ colour: "accent", text: "a configuration" }]
      }
      dots={dots}
      {...axis.shown}
      table={() => ({ columns: [name, objective.name, "configuration", "pass", "was"], rows })}
    />
  );
}
