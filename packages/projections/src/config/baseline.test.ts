import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { withFolder } from "../../test/scratch.ts";
import { HORIZONS } from "../horizon.ts";
import { readBaseline, readConfigurationFile, writeBaseline } from "./baseline.ts";
import { STARTING_PARAMETERS, startingBaseline } from "./starting-point.ts";

function writeStart(folder: string): void {
  const { league, horizons } = startingBaseline();
  writeBaseline(
    folder,
    league,
    HORIZONS.map((horizon, i) => ({
      horizon,
      name: horizon.name,
      description: horizon.title,
      parameters: { ...horizons[horizon.name], NORMALIZATION_MAX_SCALE: 100 + i },
      metrics: null,
    })),
  );
}

describe("a baseline folder", () => {
  it("gives each horizon its own parameters over the league's", () => {
    withFolder((folder) => {
      writeStart(folder);
      writeFileSync(
        join(folder, "league_config.json"),
        JSON.stringify({ parameters: { LOCATION_MODIFIERS: { HOME: 9 }, ADP_SCORING: 1 } }),
      );
      const { horizons } = readBaseline(folder);
      assert.deepEqual(Object.keys(horizons), ["ros", "1-5", "6-9", "10-13", "14-17"]);
      assert.equal(horizons["6-9"]?.NORMALIZATION_MAX_SCALE, 102);
      assert.deepEqual(horizons["6-9"]?.LOCATION_MODIFIERS, STARTING_PARAMETERS.LOCATION_MODIFIERS);
      assert.equal("ADP_SCORING" in (horizons["6-9"] ?? {}), false);
    });
  });

  it("starts ros from the first weekly file when there is no draft_config.json", () => {
    withFolder((folder) => {
      writeStart(folder);
      rmSync(join(folder, "draft_config.json"));
      const { horizons, notices } = readBaseline(folder);
      assert.deepEqual(horizons.ros, horizons["1-5"]);
      assert.deepEqual(notices, ["no draft_config.json: ros starts from week1-5.json"]);
    });
  });

  it("names every missing file", () => {
    withFolder((folder) => {
      writeStart(folder);
      rmSync(join(folder, "week6-9.json"));
      rmSync(join(folder, "week14-17.json"));
      assert.throws(() => readBaseline(folder), /baseline folder .* lacks week6-9\.json, week14-17\.json$/);
      const [ros, first] = HORIZONS;
      assert.ok(ros !== undefined && first !== undefined);
      assert.deepEqual(Object.keys(readBaseline(folder, [ros, first]).horizons), ["ros", "1-5"]);
    });
  });

  it("is a folder, of valid JSON with parameters", () => {
    withFolder((folder) => {
      writeStart(folder);
      const file = join(folder, "week1-5.json");
      assert.throws(() => readBaseline(file), /is a file; name the folder with league_config\.json/);
      assert.throws(() => readBaseline(join(folder, "none")), /baseline folder .*none does not exist$/);
      const text = readFileSync(file, "utf8");
      writeFileSync(file, `\ufeff// ours\r\n${text.replace(/\}\s*$/, ",}")}`);
      assert.doesNotThrow(() => readBaseline(folder), "a byte order mark, a comment and a last comma");
      writeFileSync(file, '{\n  "parameters": {');
      assert.throws(() => readBaseline(folder), /week1-5\.json is not JSON: line 2: a key in double quotes/);
      writeFileSync(file, "{}");
      assert.throws(() => readBaseline(folder), /week1-5\.json needs an object "parameters"$/);
    });
  });

  it("can be one file for all horizons", () => {
    withFolder((folder) => {
      const file = join(folder, "one.json");
      writeFileSync(file, JSON.stringify(STARTING_PARAMETERS));
      assert.deepEqual(readConfigurationFile(file), STARTING_PARAMETERS);
      writeFileSync(file, JSON.stringify({ parameters: STARTING_PARAMETERS }));
      assert.deepEqual(readConfigurationFile(file), STARTING_PARAMETERS);
    });
  });
});
