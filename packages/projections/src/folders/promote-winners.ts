import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { readBaseline } from "../config/baseline.ts";
import { chosenHorizons } from "../horizon.ts";
import { figure, figureTable, objectiveOf } from "../report/tuning-text.ts";
import { judgedSeasons, type SeasonChoice } from "../seasons/load.ts";
import { horizonResult, type ObjectiveName, objectives } from "../tuning/objective.ts";
import { type Answer, measureEach } from "./measure-folder.ts";

export interface PromoteOptions extends Partial<SeasonChoice> {
  /** The folder of winners. */
  readonly from: string;
  /** The baseline folder they go into. */
  readonly baseline?: string;
  readonly objective: ObjectiveName;
  readonly horizons?: readonly string[];
}

/**
 * Puts those horizons' files into the baseline folder that are better than what it has, on all seasons or on the one left
 * out; the files as they were stay beside them.
 */
export function promoteWinners({ from, data, baseline: into, objective, ...rest }: PromoteOptions): Answer {
  if (data === undefined) throw new UsageError("--data is missing: the seasons to judge by");
  if (into === undefined) throw new UsageError("--baseline is missing: the folder to promote into");
  const choice = { ...rest, data };
  const judged = judgedSeasons(choice);
  const seasons = judged.left === undefined ? judged.seasons : [judged.left];
  const { results } = measureEach(
    [into, from],
    chosenHorizons(choice.horizons),
    seasons,
    (path, horizons) => readBaseline(path, horizons).horizons,
  );
  const { better, title } = objectives[objective];
  const promotions = results.map(({ horizon, sides: [before, after] }) => {
    // Without a file of its own a horizon was read from another's, which is not a winner to promote.
    const promoted = better(horizonResult(after), horizonResult(before)) && existsSync(join(from, horizon.file));
    return { horizon, before, after, promoted };
  });
  for (const { horizon, promoted } of promotions) if (promoted) takeOver(from, into, horizon.file);

  const entries = promotions.map(({ horizon, before, after, promoted }) => [horizon.key, { before, after, promoted }]);
  const rows = promotions.map(({ horizon, before, after, promoted }) => [
    horizon.name,
    figure(objectiveOf(objective, before)),
    figure(objectiveOf(objective, after)),
    promoted ? "promoted" : "kept as it was",
  ]);
  const on = seasons.map((season) => season.name).join(", ");
  const table = figureTable(["horizon", `${title} now`, "then", ""], rows);
  return {
    document: { from, into, horizons: Object.fromEntries(entries) },
    text: `From ${from} into ${into}, judged on ${on}:\n\n${table}`,
    warnings: [],
  };
}

/** Replaces a file at once, and keeps it as it was under another name. */
function takeOver(from: string, into: string, file: string): void {
  const target = join(into, file);
  if (existsSync(target)) copyFileSync(target, `${target}.before`);
  writeDurably(target, readFileSync(join(from, file)));
}
