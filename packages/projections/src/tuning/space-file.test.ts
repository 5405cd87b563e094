import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { boolean, choice, defineSpace, integer, real, type SearchSpace, when } from "@coppice/search";
import { withFolder } from "../../test/scratch.ts";
import { readPlainSpace, readSpace, spaceOf } from "./space-file.ts";

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
  it("says when there is nothing in it", () =>
    withFolder((folder) => {
      const path = join(folder, "empty.yaml");
      writeFileSync(path, "# nothing yet\n");
      assert.throws(() => readPlainSpace(path), /empty\.yaml has nothing in it: it must have a list of "parameters"$/);
    }));

  it("says in one line what is wrong with it", () => {
    assert.equal(refusal({ horizons: [] }), "space.json: horizons: name at least one");
    assert.equal(
      refusal({ horizons: undefined, baseline: undefined }),
      "space.json has no horizons for a tournament: name some, or add --method auto to search it by samples",
    );
    assert.match(refusal({ objective: "better" }), /^space\.json: objective: /);
    assert.match(refusal({ parameter: [] }), /^space\.json: unknown field "parameter": did you mean "parameters"\?$/);
    assert.equal(refusal({ horizons: ["near", "near"] }), 'space.json names "near" twice');
    assert.equal(refusal({ baseline: undefined }), 'space.json has neither "baseline" nor "baselines" for near');
    const one = (parameter: object) => refusal({ parameters: [{ name: "x", ...parameter }] });
    assert.equal(one({ min: 3, max: 1 }), "space.json x: min 3 is above max 1");
    assert.equal(
      one({ min: 0, max: 0.5 }),
      "space.json x: without decimals, min and max are whole numbers, not 0 and 0.5",
    );
    assert.equal(one({ values: [] }), "space.json: parameters.0.values: name at least one");
    assert.equal(one({ min: 1 }), "space.json: parameters.0.max: it is missing; give a number");
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
    assert.equal(refusal({ parameters: ["x"] }), "space.json: parameters.0: it must be an object { … }");
  });
});

describe("a space without horizons", () => {
  const parameters = [
    { name: "rate", type: "real", min: 1e-5, max: 0.1, log: true },
    { name: "layers", min: 1, max: 4 },
    { name: "width", min: 8, max: 256, step: 8 },
    { name: "units", type: "integer", min: 1, max: 512, log: true },
    { name: "dropout", min: 0, max: 0.5, step: 0.05 },
    { name: "optimizer", values: ["adam", "sgd"] },
    { name: "momentum", path: "sgd.momentum", type: "real", min: 0, max: 1, when: { optimizer: "sgd" } },
    { name: "nesterov", path: "sgd.nesterov", type: "boolean", when: { optimizer: ["sgd"], layers: [1, 2] } },
  ];
  const constraints = ["layers * width <= 512"];

  function read(name: string, text: string) {
    return withFolder((folder) => {
      writeFileSync(join(folder, name), text);
      try {
        return readPlainSpace(join(folder, name));
      } catch (error) {
        return (error as Error).message.replace(join(folder, name), name);
      }
    });
  }

  it("means the same in JSON, in YAML and in TypeScript", () => {
    const json = read("space.json", JSON.stringify({ parameters, constraints }));
    const yaml = `constraints: ["layers * width <= 512"]
parameters:
  - { name: rate, type: real, min: 1e-5, max: 0.1, log: true }
  - { name: layers, min: 1, max: 4 }
  - { name: width, min: 8, max: 256, step: 8 }
  - { name: units, type: integer, min: 1, max: 512, log: true }
  - { name: dropout, min: 0, max: 0.5, step: 0.05 }
  - { name: optimizer, values: [adam, sgd] }
  - { name: momentum, path: sgd.momentum, type: real, min: 0, max: 1, when: { optimizer: sgd } }
  - { name: nesterov, path: sgd.nesterov, type: boolean, when: { optimizer: [sgd], layers: [1, 2] } }
`;
    assert.ok(typeof json === "object");
    assert.deepEqual(read("space.yaml", yaml), json);
    const defined = defineSpace({
      rate: real(1e-5, 0.1, { log: true }),
      layers: integer(1, 4),
      width: real(8, 256, { step: 8 }),
      units: integer(1, 512, { log: true }),
      dropout: real(0, 0.5, { step: 0.05 }),
      optimizer: choice(["adam", "sgd"]),
      momentum: when({ optimizer: "sgd" }, real(0, 1)),
      nesterov: when({ optimizer: ["sgd"], layers: [1, 2] }, boolean()),
    });
    const domains = (space: SearchSpace) => space.parameters.map(({ name, domain, when }) => ({ name, domain, when }));
    assert.deepEqual(domains(spaceOf("space.json", json)), domains(defined));
  });

  it("is refused in one line when it is wrong", () => {
    const one = (...given: readonly object[]) =>
      read("space.json", JSON.stringify({ parameters: given.map((each) => ({ name: "x", ...each })) }));
    assert.equal(one({ min: 2, max: 1 }), "space.json x: min 2 is above max 1");
    assert.equal(
      one({ type: "float", min: 0, max: 1 }),
      'space.json x: type "float" is unknown: it is real, integer or boolean',
    );
    assert.equal(
      one({ type: "categorical", values: ["a", "b"] }),
      'space.json x: type "categorical" is unknown: a list of values has no type',
    );
    const both = { objective: "maximize", objectives: { a: "minimize", b: "minimize" }, parameters };
    assert.equal(
      read("space.json", JSON.stringify(both)),
      "space.json: objective and objectives both say what is wanted: give one of them",
    );
    assert.equal(one({ min: 0, max: 1, step: 3 }), "space.json x: step 3 is larger than the range from 0 to 1");
    assert.equal(
      one({ type: "real", min: 0, max: 1, log: true }),
      "space.json x: a logarithmic scale starts above 0, not at 0",
    );
    assert.equal(
      one({ min: 1.5, max: 2, log: true }),
      'space.json x: 1.5 is not a whole number: write "type": "real" for any number',
    );
    assert.equal(one({ type: "integer", min: 0, max: 1.5 }), "space.json x: an integer's 1.5 is not a whole number");
    assert.equal(
      one({ min: 0, max: 1, step: 0.1, decimals: 1 }),
      "space.json x: decimals and step both say how fine it is: give one of them",
    );
    assert.equal(one({ min: 0, max: 1 }, { min: 0, max: 1 }), 'space.json names "x" twice');
    assert.equal(
      one({ path: "q", min: 0, max: 1 }, { name: "y", path: "q.r", min: 0, max: 1 }),
      "space.json: x and y are at q and q.r: each needs a place of its own",
    );
    assert.equal(
      one({ min: 0, max: 1, when: { y: 1 } }),
      "space.json x: its condition is on y, which is not a parameter; the parameters are x",
    );
    assert.equal(
      one({ min: 0, max: 1, when: { y: 1 } }, { name: "y", min: 0, max: 1, when: { x: 1 } }),
      "space.json: the conditions of x, y go round in a circle: remove one of them",
    );
    assert.equal(
      read("space.json", JSON.stringify({ parameters, constraints: ["layer > 1"] })),
      'space.json: constraint "layer > 1": layer is neither a parameter (rate, layers, width, units, dropout, optimizer, momentum, nesterov) nor anything else that is known',
    );
    assert.match(
      String(one({ min: "a", max: 1 })),
      /^space\.json: parameters\.0\.min: it must be a number, not a text in quotes$/,
    );
    assert.match(String(read("space.yaml", "parameters: [")), /^space\.yaml is not valid YAML: .*line 1/);
    assert.match(
      String(read("space.yaml", "parameters: *nothing")),
      /^space\.yaml is not valid YAML: Unresolved alias/,
    );
    assert.match(refusal({ constraints: ["x > 1"] }), /a tournament over horizons has no conditions or constraints/);
  });
});
