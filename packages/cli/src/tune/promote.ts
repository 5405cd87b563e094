import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine";
import { writeAtomically } from "@coppice/engine/files";
import {
  buildColumns,
  ColumnEvaluator,
  type HorizonAccuracy,
  horizonResult,
  type ObjectiveName,
  objectives,
  readBaseline,
  readConfiguration,
} from "@coppice/projections";
import { exitCode } from "../exit-code.ts";
import { printJson } from "../session/print-json.ts";
import { checkPreseason, chosenHorizons, splitSeasons } from "./football-job.ts";
import { judgedSeasons } from "./judged-seasons.ts";
import { figureTable } from "./report-text.ts";

interface PromoteFlags {
  /** The folder of winners; true for the output folder. */
  readonly promote: string | true;
  readonly output: string;
  readonly data?: string;
  readonly baseline?: string;
  readonly holdout?: string;
  readonly objective: ObjectiveName;
  readonly horizons?: readonly string[];
  readonly excludeLowCoverageWeeks?: boolean;
  readonly json?: boolean;
}

/**
 * `coppice tune --promote [folder]`: puts those horizons' files into the baseline folder that are better than what it
 * has, on all seasons or on the one left out; the files as they were stay beside them.
 */
export function promote(flags: PromoteFlags): number {
  const { data, baseline, objective } = flags;
  const folder = flags.promote === true ? flags.output : flags.promote;
  if (data === undefined) throw new UsageError("--data is missing: the seasons to judge by");
  if (baseline === undefined) throw new UsageError("--baseline is missing: the folder to promote into");
  const horizons = chosenHorizons(flags.horizons);
  const set = judgedSeasons(data, flags.excludeLowCoverageWeeks);
  const { left } = splitSeasons(set.seasons, flags.holdout);
  const seasons = left === undefined ? set.seasons : [left];
  checkPreseason(horizons, seasons);
  const [now, next] = [baseline, folder].map((path) => ({ path, horizons: readBaseline(path, horizons).horizons }));
  const evaluator = new ColumnEvaluator(buildColumns(seasons));
  const judged = horizons.map((horizon) => {
    const [before, after] = [now, next].map(({ path, horizons: parameters }) =>
      evaluator.evaluate(horizon, readConfiguration(parameters[horizon.name], path), "all"),
    );
    const better = objectives[objective].better(horizonResult(after), horizonResult(before));
    // Without a file of its own a horizon was read from another's, which is not a winner to promote.
    const promoted = better && existsSync(join(folder, horizon.file));
    return { horizon, before, after, promoted };
  });
  for (const { horizon, promoted } of judged) if (promoted) takeOver(folder, baseline, horizon.file);

  if (flags.json === true) {
    const entries = judged.map(({ horizon, before, after, promoted }) => [horizon.key, { before, after, promoted }]);
    printJson({ from: folder, into: baseline, horizons: Object.fromEntries(entries) });
    return exitCode.done;
  }
  const rows = judged.map(({ horizon, before, after, promoted }) => [
    horizon.name,
    figure(objective, before),
    figure(objective, after),
    promoted ? "promoted" : "kept as it was",
  ]);
  const label = objective === "mae" ? "MAE" : "pairwise";
  const on = seasons.map((season) => season.name).join(", ");
  process.stdout.write(`From ${folder} into ${baseline}, judged on ${on}:\n\n`);
  process.stdout.write(`${figureTable(["horizon", `${label} now`, "then", ""], rows)}\n`);
  return exitCode.done;
}

/** Replaces a file at once, and keeps it as it was under another name. */
function takeOver(from: string, into: string, file: string): void {
  const target = join(into, file);
  if (existsSync(target)) copyFileSync(target, `${target}.before`);
  writeAtomically(target, readFileSync(join(from, file)));
}

function figure(objective: ObjectiveName, { aggregate }: HorizonAccuracy): string {
  const value = objective === "mae" ? aggregate.mae : (aggregate.overall?.pairwise_accuracy ?? null);
  return value === null ? "-" : value.toFixed(4);
}
