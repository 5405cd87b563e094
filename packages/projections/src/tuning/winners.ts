import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import type { Best, Bests } from "@coppice/search";
import { type Baseline, type HorizonFile, writeBaseline } from "../config/baseline.ts";
import type { HorizonParameters } from "../config/configuration.ts";
import { withWinner } from "../config/merge-winner.ts";
import type { Horizon } from "../horizon.ts";
import { readText, writeJson } from "../json-file.ts";
import type { HorizonResult } from "./objective.ts";
import type { RoundEnd } from "./tuning.ts";

const INTERMEDIATE = /^accuracy_intermediate_\d+_.+$/;

/**
 * Writes the winners as a folder of the baseline's own shape and removes the folders of intermediate results. What the
 * baseline's files have beside what is tuned is kept.
 */
export function writeWinners(
  folder: string,
  baseline: string,
  league: Baseline["league"],
  horizons: readonly Horizon[],
  bests: Bests<HorizonResult>,
): void {
  const describe = (horizon: Horizon) => ({
    name: `Tuned ${stem(horizon)}`,
    description: `${horizon.title}: the best that was found`,
  });
  const files = horizonFiles(horizons, bests, describe);
  writeBaseline(folder, league, files);
  for (const { horizon, name, description, parameters, metrics } of files) {
    const path = join(baseline, horizon.file);
    if (!existsSync(path)) continue;
    const beside = () => ({ config_name: name, description, performance_metrics: metrics });
    writeDurably(join(folder, horizon.file), withWinner(path, readText(path), shared(league), parameters, beside));
  }
  for (const name of readdirSync(folder)) {
    if (INTERMEDIATE.test(name)) rmSync(join(folder, name), { recursive: true });
  }
}

/** Writes what a tournament has after its `index`-th parameter, so that a long run leaves something usable early. */
export function writeIntermediate(
  output: string,
  league: unknown,
  horizons: readonly Horizon[],
  bests: Bests<HorizonResult>,
  { index, parameter }: RoundEnd,
): void {
  const folder = join(output, `accuracy_intermediate_${String(index).padStart(2, "0")}_${parameter}`);
  const describe = (horizon: Horizon) => ({
    name: `Intermediate ${stem(horizon)}`,
    description: `Intermediate result after tuning ${parameter}`,
  });
  writeBaseline(folder, league, horizonFiles(horizons, bests, describe));
  const metadata = {
    param_idx: index,
    param_name: parameter,
    horizons_evaluated: horizons.map((horizon) => horizon.key),
    best_mae_per_horizon: Object.fromEntries(
      horizons.flatMap(({ key }) => {
        const best = bests.best[key];
        return best === undefined ? [] : [[key, { mae: best.result.mae, test_idx: best.testIndex }]];
      }),
    ),
  };
  writeJson(join(folder, "metadata.json"), metadata);
}

function horizonFiles(
  horizons: readonly Horizon[],
  { best, configurations }: Bests<HorizonResult>,
  describe: (horizon: Horizon) => Pick<HorizonFile, "name" | "description">,
): readonly HorizonFile[] {
  return horizons.map((horizon) => ({
    horizon,
    ...describe(horizon),
    parameters: configurations[horizon.key] ?? {},
    metrics: metricsOf(best[horizon.key]),
  }));
}

function metricsOf(best: Best<HorizonResult> | undefined): unknown {
  if (best === undefined) return { mae: null, player_count: null, note: "nothing better found: baseline parameters" };
  const { per_season_error: _, ...result } = best.result;
  return { ...result, found_by: foundBy(best) };
}

/** Where a winner was found, under the names of result files. */
export function foundBy({ pass, parameter, value, testIndex, horizon }: Best<HorizonResult>) {
  return { pass, parameter, value: value ?? null, test_index: testIndex, base_horizon: horizon };
}

function shared({ parameters }: Baseline["league"]): HorizonParameters {
  // Cast: a league that was read has an object there.
  return (parameters ?? {}) as HorizonParameters;
}

function stem(horizon: Horizon): string {
  return horizon.file.replace(/\.json$/, "");
}
