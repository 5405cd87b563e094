import { join, resolve } from "node:path";
import { generateSeasons, HORIZONS, startingBaseline, writeBaseline, writeSeasonFiles } from "@coppice/projections";
import { type ShapeFlags, startTuning, type WorkFlags } from "./tune.ts";

export type DemoFlags = ShapeFlags;

const SEASONS = ["2101", "2102", "2103", "2104"];

/** `coppice tune demo`: invents seasons, writes them and a starting point, tunes on three and checks on the fourth. */
export async function demo(flags: DemoFlags & WorkFlags): Promise<number> {
  const output = resolve(flags.output);
  const data = join(output, "data");
  const baseline = join(output, "baseline");
  writeSeasonFiles(data, generateSeasons(flags.seed, SEASONS));
  const { league, horizons } = startingBaseline();
  writeBaseline(
    baseline,
    league,
    HORIZONS.map((horizon) => ({
      horizon,
      name: `Start ${horizon.name}`,
      description: horizon.title,
      parameters: horizons[horizon.name] ?? {},
      metrics: null,
    })),
  );
  const { testValues, maxPasses, seed } = flags;
  return startTuning(
    {
      kind: "football",
      data,
      baseline,
      output: join(output, "tuned"),
      objective: "mae",
      holdout: SEASONS.at(-1) ?? "",
      testValues,
      maxPasses,
      seed,
    },
    flags,
  );
}
