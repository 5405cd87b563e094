import assert from "node:assert/strict";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inline } from "@coppice/engine";
import { type RunOrigin, runToEnd } from "@coppice/engine/session";
import { writeBaseline } from "../config/baseline.ts";
import { startingBaseline } from "../config/starting-point.ts";
import { HORIZONS } from "../horizon.ts";
import { writeSeasonFiles } from "../seasons/write-season-files.ts";
import { generateSeasons } from "../synthetic/generate.ts";
import { prepareTune } from "./prepare-tune.ts";
import type { FootballOptions, TuneOptions } from "./tuning.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-prepare-"));
/** Two horizons with three values each. */
const CONFIGURATIONS = 6;
const PARAMETERS = ["NORMALIZATION_MAX_SCALE", "TEAM_QUALITY_SCORING_WEIGHT", "TEAM_QUALITY_MIN_WEEKS"];

function options(name: string, more: Partial<FootballOptions> = {}): TuneOptions {
  return {
    kind: "football",
    data: join(folder, "data"),
    baseline: join(folder, "baseline"),
    output: join(folder, name),
    objective: "mae",
    horizons: ["1-5", "6-9"],
    params: PARAMETERS,
    testValues: 2,
    maxPasses: 1,
    seed: 42,
    ...more,
  };
}

/** Works on a run until at least so many configurations are judged, or to its end. */
async function session(
  name: string,
  origin: RunOrigin,
  until = Number.POSITIVE_INFINITY,
  more: Partial<FootballOptions> = {},
) {
  const prepared = prepareTune(options(name, more));
  const { end, directory } = await runToEnd(prepared, origin, {
    pool: async () => inline(),
    onRun: (run) => {
      run.subscribe((event) => {
        if (event.type === "told" && event.told >= until) run.interrupt();
      });
    },
  });
  if (end.state !== "done") return { state: end.state, directory };
  const { result, digest } = end;
  const [text, document] = [prepared.describe?.(result, directory), prepared.document?.(result, directory, "")];
  return { state: end.state, directory, digest, text: text?.replaceAll(name, "…"), document };
}

const start = (id: string): RunOrigin => ({ runs: join(folder, "runs"), id });

/** Every file below an output folder, with its content. */
function files(name: string): Record<string, string> {
  const cwd = join(folder, name);
  const paths = globSync("**/*.*", { cwd }).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(cwd, path), "utf8")]));
}

function keptFolders(name: string): readonly string[] {
  return globSync("accuracy_intermediate_*", { cwd: join(folder, name) }).sort();
}

describe("a prepared tuning", () => {
  before(() => {
    writeSeasonFiles(join(folder, "data"), generateSeasons(7, ["2101"]));
    const { league, horizons } = startingBaseline();
    const own = HORIZONS.map((horizon) => ({
      horizon,
      name: horizon.name,
      description: horizon.title,
      parameters: horizons[horizon.name] ?? {},
      metrics: null,
    }));
    writeBaseline(join(folder, "baseline"), league, own);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("leaves the same files, text and document, whole or stopped and resumed", async () => {
    const whole = await session("whole", start("whole"));
    assert.equal(whole.state, "done");
    const first = await session("parts", start("parts"), 2);
    assert.equal(first.state, "interrupted");
    assert.deepEqual(keptFolders("parts"), []);
    const resume = { resume: first.directory };
    await session("parts", resume, 2 * CONFIGURATIONS + 1);
    const parts = await session("parts", resume);
    assert.deepEqual({ ...parts, directory: whole.directory }, whole);
    assert.deepEqual(files("parts"), files("whole"));
    assert.deepEqual(keptFolders("parts"), [], "what was kept on the way is removed at the end");
  });

  it("leaves the same when it chooses a charge on seasons left out in turn, and says what was gained there", async () => {
    writeSeasonFiles(join(folder, "two"), generateSeasons(7, ["2101", "2102"]));
    const sampled = { method: "steps", trials: 6, window: 2, regularize: 0.1, crossValidate: true } as const;
    const more = { data: join(folder, "two"), sampled };
    const whole = await session("validated", start("validated"), undefined, more);
    assert.match(whole.text ?? "", /^Tuned on 2101, 2102: 30 configurations, all/);
    assert.match(whole.text ?? "", /^Change on seasons left out one after the other:\n\n--regularize +1-5 +6-9$/m);
    const { cross_validation } = whole.document as { cross_validation: { changes: { charge: number }[] } };
    assert.deepEqual(
      cross_validation.changes.map(({ charge }) => charge),
      [0, 0.1],
    );
    const { directory } = await session("stopped-there", start("stopped-there"), 20, more);
    const parts = await session("stopped-there", { resume: directory }, undefined, more);
    assert.deepEqual({ ...parts, directory: whole.directory }, whole);
    assert.ok(!Object.values(files("validated")).some((text) => text.includes("per_season_error")));
  });

  it("keeps what every finished parameter found, also when several end at once in a replay", async () => {
    const until = 2 * CONFIGURATIONS + 1;
    const { directory } = await session("stopped", start("stopped"), until);
    const kept = files("stopped");
    const names = PARAMETERS.slice(0, 2).map((parameter, i) => `accuracy_intermediate_0${i}_${parameter}`);
    assert.deepEqual(keptFolders("stopped"), names);
    const [one, two] = names.map((name) => JSON.parse(kept[join(name, "metadata.json")] ?? ""));
    assert.deepEqual([one.param_idx, two.param_idx], [0, 1]);
    rmSync(join(folder, "stopped"), { recursive: true });
    await session("stopped", { resume: directory }, until);
    assert.deepEqual(files("stopped"), kept);
  });

  it("touches nothing before it runs", () => {
    prepareTune(options("untouched"));
    assert.equal(existsSync(join(folder, "untouched")), false);
  });
});
