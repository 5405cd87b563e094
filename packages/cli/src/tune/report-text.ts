import { tableText } from "@coppice/engine";
import { HORIZONS, type HorizonReport, type TuningReport } from "@coppice/projections";

/** A tuning report for people: what was gained per horizon, and whether it holds on a season nobody tuned on. */
export function reportText(report: TuningReport, output: string): string {
  const byError = report.objective === "mae";
  const rows = Object.entries(report.horizons).map(([key, horizon]) => {
    const before = objectiveOf(byError, horizon.baseline);
    const after = objectiveOf(byError, horizon.tuned);
    const held = horizon.holdout;
    return [
      nameOf(key),
      figure(before),
      figure(after),
      change(before, after),
      ...(held === undefined
        ? []
        : [
            figure(objectiveOf(byError, held.baseline)),
            figure(objectiveOf(byError, held.tuned)),
            change(objectiveOf(byError, held.baseline), objectiveOf(byError, held.tuned)),
          ]),
    ];
  });
  const label = byError ? "MAE" : "pairwise";
  const header = ["horizon", `${label} before`, "after", "change"];
  if (report.holdout !== null) header.push(`${report.holdout} before`, "after", "change");
  const passes = `${report.passes} ${report.passes === 1 ? "pass" : "passes"}`;
  return [
    `Tuned on ${report.seasons.join(", ")}: ${report.configurations} configurations in ${passes}, ` +
      (report.converged ? "until nothing changed." : "then the bound on passes was reached."),
    "",
    figureTable(header, rows),
    ...verdict(report, byError),
    ...warnings(report),
    "",
    `Winners, report.json and report.html are in ${output}`,
  ].join("\n");
}

/** Says aloud when a gain did not carry over to the season left out. */
function verdict(report: TuningReport, byError: boolean): readonly string[] {
  if (report.holdout === null)
    return ["", "Not checked on a season left out: --holdout <season> shows what is only noise."];
  const lost = Object.entries(report.horizons).filter(([, horizon]) => !carriesOver(horizon, byError));
  if (lost.length === 0) return ["", `The gain holds on ${report.holdout}, which was left out of the tuning.`];
  const names = lost.map(([key]) => nameOf(key)).join(", ");
  return ["", `No gain on ${report.holdout}, which was left out, for ${names}: what was tuned there may be noise.`];
}

/** Says which winners still foretell the order of players badly. */
function warnings({ low_accuracy }: TuningReport): readonly string[] {
  const lines = Object.entries(low_accuracy).map(([key, why]) => `Low accuracy on ${nameOf(key)}: ${why}`);
  return lines.length === 0 ? [] : ["", ...lines];
}

function nameOf(key: string): string {
  return HORIZONS.find((h) => h.key === key)?.name ?? key;
}

function carriesOver({ holdout }: HorizonReport, byError: boolean): boolean {
  if (holdout === undefined) return true;
  const before = objectiveOf(byError, holdout.baseline);
  const after = objectiveOf(byError, holdout.tuned);
  if (before === null || after === null) return false;
  return byError ? after <= before : after >= before;
}

function objectiveOf(byError: boolean, { aggregate }: HorizonReport["tuned"]): number | null {
  if (aggregate.player_count === 0) return null;
  return byError ? aggregate.mae : (aggregate.overall?.pairwise_accuracy ?? null);
}

function figure(value: number | null): string {
  return value === null ? "-" : value.toFixed(4);
}

function change(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0) return "-";
  const percent = (after / before - 1) * 100;
  return `${percent > 0 ? "+" : ""}${percent.toFixed(2)}%`;
}

/** A table whose first column is a name and the rest numbers. */
export function figureTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableText(
    titles.map((title, i) => ({ title, align: i === 0 ? "left" : "right" })),
    rows,
  );
}
