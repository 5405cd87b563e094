import { join } from "node:path";
import { writeBaseline } from "../config/baseline.ts";
import { PARAMETERS } from "../config/parameters.ts";
import { startingBaseline } from "../config/starting-point.ts";
import { chosenHorizons, HORIZONS } from "../horizon.ts";
import { writeSeasonFiles } from "../seasons/write-season-files.ts";
import { checkFolder } from "../tuning/output-folder.ts";
import { chosenParameters, type FootballOptions } from "../tuning/tuning.ts";
import { generateSeasons } from "./generate.ts";

const SEASONS = ["2101", "2102", "2103", "2104"];

/**
 * Invents seasons and writes them with a starting point below `folder`: to tune on three and to check on the fourth. What
 * is chosen of the tuning is checked before.
 */
export function writeDemo(
  folder: string,
  seed: number,
  chosen: Pick<FootballOptions, "horizons" | "params" | "numParams"> = {},
): Required<Pick<FootballOptions, "data" | "baseline" | "output" | "holdout">> {
  chosenHorizons(chosen.horizons);
  chosenParameters(PARAMETERS, chosen);
  checkFolder(folder);
  const data = join(folder, "data");
  const baseline = join(folder, "baseline");
  writeSeasonFiles(data, generateSeasons(seed, SEASONS));
  const { league, horizons } = startingBaseline();
  const files = HORIZONS.map((horizon) => ({
    horizon,
    name: `Start ${horizon.name}`,
    description: horizon.title,
    parameters: horizons[horizon.name] ?? {},
    metrics: null,
  }));
  writeBaseline(baseline, league, files);
  return { data, baseline, output: join(folder, "tuned"), holdout: SEASONS[SEASONS.length - 1] };
}
