import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { withFolder } from "../../test/scratch.ts";
import { readSpace } from "./space-file.ts";

const space = {
  horizons: ["near", "far away"],
  objective: "maximize",
  baseline: { knob: { x: 0 }, mode: "a" },
  parameters: [
    { name: "x", path: "knob.x", min: -9, max: 9 },
    { name: "mode", values: ["a", "b"] },
  ],
};

function refusal(change: object): string {
  return withFolder((folder) => {
    const path = join(folder, "wrong.json");
    writeFileSync(path, JSON.stringify({ ...space, ...change }));
    try {
      readSpace(path);
    } catch (error) {
      return (error as Error).message.replace(path, "space.json");
    }
    return "accepted";
  });
}

describe("a space file", () => {
  it("says in one line what is wrong with it", () => {
    assert.equal(refusal({ horizons: [] }), "space.json: horizons: name at least one");
    assert.equal(
      refusal({ horizons: undefined, baseline: undefined }),
      "space.json has no horizons to tune for: name some, or search it with coppice run --space",
    );
    assert.match(refusal({ objective: "better" }), /^space\.json: objective: /);
    assert.match(refusal({ parameter: [] }), /^space\.json: Unrecognized key/);
    assert.equal(refusal({ horizons: ["near", "near"] }), 'space.json names "near" twice');
    assert.equal(refusal({ baseline: undefined }), 'space.json has neither "baseline" nor "baselines" for near');
    const one = (parameter: object) => refusal({ parameters: [{ name: "x", ...parameter }] });
    assert.equal(one({ min: 3, max: 1 }), "space.json x: min 3 is above max 1");
    assert.equal(
      one({ min: 0, max: 0.5 }),
      "space.json x: without decimals, min and max are whole numbers, not 0 and 0.5",
    );
    assert.equal(one({ values: [] }), "space.json: parameters.0.values: name at least one");
    assert.equal(one({ min: 1 }), "space.json: parameters.0.max: expected number, received undefined");
    assert.equal(one({}), 'space.json: parameters.0: give "x" either "min" and "max" or "values"');
    assert.equal(
      one({ min: 0, max: 1, values: [1] }),
      'space.json: parameters.0: give "x" either "min" and "max" or "values"',
    );
    assert.equal(refusal({ parameters: [] }), "space.json: parameters: name at least one");
    for (const path of ["a..b", ".a", "a."]) {
      assert.equal(
        one({ path, min: 0, max: 1 }),
        `space.json: parameters.0.path: "${path}" has an empty part: write it as a.b`,
      );
    }
    assert.equal(refusal({ parameters: ["x"] }), "space.json: parameters.0: expected object");
  });
});
