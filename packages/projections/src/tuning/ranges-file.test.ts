import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { PARAMETERS } from "../config/parameters.ts";
import { footballParameters } from "./ranges-file.ts";

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
});
