import { tableText } from "@coppice/engine/display";
import type { HorizonAccuracy } from "../accuracy/accuracy.ts";
import { horizonName } from "../horizon.ts";
import { horizonResult, type ObjectiveName, objectives } from "../tuning/objective.ts";
import type { Comparison, TuningReport } from "./tuning-report.ts";

/** A tuning report for people: what was gained per horizon, and whether it holds on a season nobody tuned on. */
export function reportText(report: TuningReport, output: string): string {
  const { objective } = report;
  const gain = ({ baseline, tuned }: Comparison) => {
    const before = objectiveOf(objective, baseline);
    const after = objectiveOf(objective, tuned);
    return [figure(before), figure(after), change(before, after)];
  };
  const rows = Object.entries(report.horizons).map(([key, horizon]) => {
    const { holdout } = horizon;
    return [horizonName(key), ...gain(horizon), ...(holdout === undefined ? [] : gain(holdout))];
  });
  const header = ["horizon", `${objectives[objective].title} before`, "after", "change"];
  if (report.holdout !== null) header.push(`${report.holdout} before`, "after", "change");
  return [
    `Tuned on ${report.seasons.join(", ")}: ${extentText(report)}, ` +
      (report.converged
        ? report.passes === 0
          ? "all that were asked for."
          : "until nothing changed."
        : "then a limit was reached."),
    "",
    figureTable(header, rows),
    ...crossValidation(report),
    ...verdict(report),
    ...warnings(report),
    "",
    `Winners, report.json and report.html are in ${output}`,
  ].join("\n");
}

/** How much was tried. */
export function extentText({ configurations, passes }: { readonly configurations: number; readonly passes: number }) {
  // A sampler makes no passes.
  if (passes === 0) return `${configurations} configurations`;
  return `${configurations} configurations in ${passes} ${passes === 1 ? "pass" : "passes"}`;
}

/** What was gained on seasons left out in turn, by charge. */
function crossValidation({ cross_validation }: TuningReport): readonly string[] {
  if (cross_validation === undefined) return [];
  const { charge, changes } = cross_validation;
  const rows = changes.map(({ charge: tried, byHorizon }) => [
    `${tried}${tried === charge ? " (taken)" : ""}`,
    ...Object.values(byHorizon).map((part) => change(1, 1 + part)),
  ]);
  const titles = ["--regularize", ...Object.keys(changes[0]?.byHorizon ?? {}).map(horizonName)];
  return ["", "Change on seasons left out one after the other:", "", figureTable(titles, rows)];
}

/** Says aloud when nothing was gained, or when a gain did not carry over to the season left out. */
export function verdict(report: Pick<TuningReport, "objective" | "horizons" | "holdout">): readonly string[] {
  const gained = Object.entries(report.horizons).filter(([, horizon]) => isGain(horizon, report.objective));
  if (gained.length === 0) return ["", "Nothing better was found: the winners are what tuning started from."];
  if (report.holdout === null)
    return ["", "Not checked on a season left out: --holdout <season> shows what is only noise."];
  const lost = gained.filter(([, { holdout }]) => holdout !== undefined && !isGain(holdout, report.objective));
  if (lost.length === 0) return ["", `The gain holds on ${report.holdout}, which was left out of the tuning.`];
  const names = lost.map(([key]) => horizonName(key)).join(", ");
  return ["", `No gain on ${report.holdout}, which was left out, for ${names}: what was tuned there may be noise.`];
}

/** Says which winners still predict the order of players badly. */
function warnings({ low_accuracy }: TuningReport): readonly string[] {
  const lines = Object.entries(low_accuracy).map(([key, why]) => `Low accuracy on ${horizonName(key)}: ${why}`);
  return lines.length === 0 ? [] : ["", ...lines];
}

function isGain({ baseline, tuned }: Comparison, objective: ObjectiveName): boolean {
  const [before, after] = [objectiveOf(objective, baseline), objectiveOf(objective, tuned)];
  if (before === null || after === null) return false;
  return objectives[objective].wanted === "lower" ? after < before : after > before;
}

/** What an accuracy is worth by an objective; null without players. */
export function objectiveOf(objective: ObjectiveName, accuracy: HorizonAccuracy): number | null {
  return objectives[objective].value(horizonResult(accuracy));
}

/** Four digits after the point, or a dash for none. */
export function figure(value: number | null | undefined): string {
  return value?.toFixed(4) ?? "-";
}

function change(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0) return "-";
  const percent = (after / before - 1) * 100;
  return `${percent > 0 ? "+" : ""}${percent.toFixed(2)}%`;
}

/** A table whose first column is a name and the rest numbers. */
export function figureTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableText(
    titles.map((title, i) => (i === 0 ? title : { right: title })),
    rows,
  );
}
