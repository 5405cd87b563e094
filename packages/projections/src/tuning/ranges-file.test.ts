import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { PARAMETERS } from "../config/parameters.ts";
import { checkPlaces, footballParameters } from "./ranges-file.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-ranges-"));
after(() => rmSync(folder, { recursive: true, force: true }));

describe("ranges of the football parameters by file", () => {
  it("replace a range, give a ladder of values, add a parameter, and leave the rest as it is", () => {
    const path = join(folder, "ranges.yaml");
    writeFileSync(
      path,
      `parameters:
  - { name: LOCATION_HOME, min: 0, max: 4, decimals: 1 }
  - { name: PERFORMANCE_MIN_WEEKS, values: [2, 3, 5, 8] }
  - { name: MATCHUP_EXCELLENT, path: MATCHUP_SCORING.MULTIPLIERS.EXCELLENT, min: 1, max: 1.2, decimals: 3 }
`,
    );
    const parameters = footballParameters(path);
    const named = (name: string) => parameters.find((parameter) => parameter.name === name);
    assert.deepEqual(named("LOCATION_HOME"), {
      name: "LOCATION_HOME",
      path: ["LOCATION_MODIFIERS", "HOME"],
      domain: { kind: "range", min: 0, max: 4, decimals: 1 },
    });
    assert.deepEqual(named("PERFORMANCE_MIN_WEEKS"), {
      name: "PERFORMANCE_MIN_WEEKS",
      path: ["PERFORMANCE_SCORING", "MIN_WEEKS"],
      domain: { kind: "choice", values: [2, 3, 5, 8] },
    });
    assert.deepEqual(named("MATCHUP_EXCELLENT")?.path, ["MATCHUP_SCORING", "MULTIPLIERS", "EXCELLENT"]);
    const names = parameters.map(({ name }) => name);
    assert.deepEqual(names, [...PARAMETERS.map(({ name }) => name), "MATCHUP_EXCELLENT"]);
    const changed = ["LOCATION_HOME", "PERFORMANCE_MIN_WEEKS", "MATCHUP_EXCELLENT"];
    const rest = (all: ReturnType<typeof footballParameters>) => all.filter(({ name }) => !changed.includes(name));
    assert.deepEqual(rest(parameters), rest(footballParameters(undefined)));
  });

  it("refuse a parameter at the place of another, and one where no horizon has a number", () => {
    const path = join(folder, "odd.yaml");
    const place = (at: string) => writeFileSync(path, `parameters: [{ name: MINE, path: ${at}, min: 0, max: 1 }]`);
    place("LOCATION_MODIFIERS.HOME");
    assert.throws(() => footballParameters(path), /odd\.yaml MINE: LOCATION_MODIFIERS\.HOME is where LOCATION_HOME is/);
    place("MATCHUP_SCORING.MULTIPLIERS.GREAT");
    const parameters = footballParameters(path);
    const configuration = (multipliers: object) => ({ MATCHUP_SCORING: { MULTIPLIERS: multipliers } });
    assert.throws(
      () => checkPlaces(parameters, [configuration({ EXCELLENT: 1 })]),
      /--ranges MINE: no horizon of the baseline has a number at MATCHUP_SCORING\.MULTIPLIERS\.GREAT/,
    );
    checkPlaces(parameters, [configuration({}), configuration({ GREAT: 1 })]);
  });
});
