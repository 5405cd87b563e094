import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { describeChanges, type FileChange, readIfThere } from "@coppice/engine/user-files";
import type { HorizonAccuracy } from "../accuracy/accuracy.ts";
import { type Baseline, readBaseline } from "../config/baseline.ts";
import { withWinner } from "../config/merge-winner.ts";
import { chosenHorizons, type Horizon } from "../horizon.ts";
import { readJson, readText } from "../json-file.ts";
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

/** What is going to be promoted: nothing has been written yet. */
export interface Promotion extends Answer {
  /** To be made in this order: backups before what they back up. */
  readonly changes: readonly FileChange[];
}

/**
 * What puts the values of those horizons into the baseline folder that are better than what it has, on all seasons or on
 * the one left out. A file is changed only where a value is: what else a person wrote there stays. `<file>.before` is the
 * file before the first promotion, `<file>.before-last` before the latest.
 */
export function promoteWinners({ from, data, baseline: into, objective, ...rest }: PromoteOptions): Promotion {
  if (data === undefined) throw new UsageError("--data is missing: the seasons to judge by");
  if (into === undefined) throw new UsageError("--baseline is missing: the folder to promote into");
  const choice = { ...rest, data };
  const judged = judgedSeasons(choice);
  const seasons = judged.left === undefined ? judged.seasons : [judged.left];
  const horizons = chosenHorizons(choice.horizons);
  const [present, winners] = [into, from].map((folder) => readBaseline(folder, horizons));
  const { results, notices } = measureEach([into, from], horizons, seasons, (path) =>
    path === into ? present.horizons : winners.horizons,
  );
  const { better, title } = objectives[objective];
  const promotions = results.map(({ horizon, sides: [before, after] }) => {
    // Without a file of its own a horizon was read from another's, which is not a winner to promote.
    const promoted = better(horizonResult(after), horizonResult(before)) && existsSync(join(from, horizon.file));
    return { horizon, before, after, promoted };
  });
  const changes = promotions.flatMap(({ horizon, promoted }) =>
    promoted ? changesFor(horizon, { from, into, league: present.league, winners }) : [],
  );
  const on = seasons.map((season) => season.name).join(", ");
  const entries = promotions.map(({ horizon, before, after, promoted }) => [horizon.key, { before, after, promoted }]);
  const shown = changes.map(({ file, before, after }) => ({ file, before: before ?? null, after: after ?? null }));
  return {
    changes,
    document: { from, into, horizons: Object.fromEntries(entries), changes: shown },
    text: [
      `From ${from} into ${into}, judged on ${on}:`,
      promotionTable(promotions, objective, title),
      describeChanges(changes).trimEnd(),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    warnings: [...judged.warnings, ...notices],
  };
}

interface Folders {
  readonly from: string;
  readonly into: string;
  readonly league: Baseline["league"];
  readonly winners: Baseline;
}

/** The changes of one horizon's file; copies are made first. */
function changesFor({ name, file }: Horizon, { from, into, league, winners }: Folders): readonly FileChange[] {
  const target = join(into, file);
  const before = readIfThere(target);
  if (before === undefined) return [{ file: target, before, after: readText(join(from, file)) }];
  // Casts: both were read as documents before.
  const { performance_metrics: measured } = readJson(join(from, file)) as Readonly<Record<string, unknown>>;
  const shared = league.parameters as Readonly<Record<string, unknown>>;
  // Figures of the values before would be wrong: they are replaced, where the file has some.
  const after = withWinner(target, before, shared, winners.horizons[name] ?? {}, (document) =>
    Object.hasOwn(document, "performance_metrics") ? { performance_metrics: measured ?? null } : {},
  );
  if (after === before) return [];
  const [first, last] = [`${target}.before`, `${target}.before-last`].map((path) => ({
    file: path,
    before: readIfThere(path),
    after: before,
    says: `${file} as it is now`,
  }));
  return [first.before === undefined ? first : last, { file: target, before, after }].filter(
    (change) => change.before !== change.after,
  );
}

function promotionTable(
  promotions: readonly {
    readonly horizon: Horizon;
    readonly before: HorizonAccuracy;
    readonly after: HorizonAccuracy;
    readonly promoted: boolean;
  }[],
  objective: ObjectiveName,
  title: string,
): string {
  const rows = promotions.map(({ horizon, before, after, promoted }) => [
    horizon.name,
    figure(objectiveOf(objective, before)),
    figure(objectiveOf(objective, after)),
    promoted ? "better" : "stays",
  ]);
  return figureTable(["horizon", `${title} now`, "then", ""], rows);
}
