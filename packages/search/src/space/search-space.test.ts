import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { arbitrarySpace } from "../../test/arbitrary-space.ts";
import { outsideDomain } from "../tournament/parameter.ts";
import { boolean, choice, defineSpace, integer, type PointOf, real, when } from "./define-space.ts";
import { ruleOf } from "./rule.ts";
import { configurationAt, everyPoint, isAllowed, namedValues, placeOf, pointAt } from "./search-space.ts";
import { sizeOf, toUnit } from "./unit-scale.ts";

const parts = {
  momentum: when({ optimizer: "sgd" }, real(0.5, 0.99)),
  optimizer: choice(["adam", "sgd"]),
  layers: integer(1, 3),
  rate: real(1e-5, 0.1, { log: true }),
  nesterov: when({ momentum: 0.5 }, boolean()),
};

describe("a space of parameters", () => {
  it("has the types of its values, with what is conditional left out where its condition fails", () => {
    const space = defineSpace(parts, (point) => point.layers < 3 || point.optimizer === "adam");
    const typed: PointOf<typeof parts> = { optimizer: "adam", layers: 2, rate: 0.1 };
    // @ts-expect-error: there is no such optimizer
    const wrong: PointOf<typeof parts> = { optimizer: "rms", layers: 2, rate: 0.1 };
    assert.notDeepEqual(typed, wrong);
    assert.deepEqual(
      space.parameters.map(({ name }) => name),
      ["optimizer", "momentum", "layers", "rate", "nesterov"],
    );
    assert.deepEqual(configurationAt(space, pointAt(space, [0.2, 0.5, 0.5, 0.5, 0.5])), {
      optimizer: "adam",
      layers: 2,
      rate: Math.exp((Math.log(1e-5) + Math.log(0.1)) / 2),
    });
    const sgd = pointAt(space, [0.7, 0, 0.99, 1, 0.9]);
    assert.deepEqual(namedValues(space, sgd), {
      optimizer: "sgd",
      momentum: 0.5,
      layers: 3,
      rate: 0.1,
      nesterov: true,
    });
    assert.equal(isAllowed(space, sgd), false);
  });

  it("keeps every value in its domain and finds its place again, whatever the space", () => {
    fc.assert(
      fc.property(
        arbitrarySpace(),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
        (space, place) => {
          const point = pointAt(space, place);
          for (const [i, { domain }] of space.parameters.entries()) {
            const value = point[i];
            if (value === undefined) continue;
            assert.equal(outsideDomain(domain, value), undefined);
            if (domain.kind === "real" && domain.step !== undefined) {
              const { min, max, step } = domain;
              const nearest = min + Math.round((Number(value) - min) / step) * step;
              // Values have twelve digits.
              const rounding = 1e-11 * Math.max(Math.abs(min), Math.abs(max));
              assert.ok(
                Math.abs(Number(value) - nearest) <= rounding,
                `${value} is not a step of ${JSON.stringify(domain)}`,
              );
            }
            if (sizeOf(domain) > 1 && sizeOf(domain) < 1e9)
              assert.equal(pointAt(space, placeOf(space, point))[i], value);
            else
              assert.ok(
                Math.abs(toUnit(domain, value) - place[i]) < 1e-6 || sizeOf(domain) === 1 || sizeOf(domain) >= 1e9,
              );
          }
        },
      ),
    );
  });

  it("gives every value of a grid a part of the scale, on a logarithmic one a smaller part the larger it is", () => {
    const space = defineSpace({ width: integer(1, 64, { log: true }), part: real(0, 1, { step: 0.25 }) });
    const seen = Array.from({ length: 1000 }, (_, i) => pointAt(space, [i / 1000, i / 1000]));
    assert.equal(new Set(seen.map(([width]) => width)).size, 64);
    assert.deepEqual([...new Set(seen.map(([, part]) => part))], [0, 0.25, 0.5, 0.75, 1]);
    const often = (wanted: number) => seen.filter(([width]) => width === wanted).length;
    assert.ok(often(1) > 3 * often(4) && often(4) > 3 * often(32), `${often(1)} ${often(4)} ${often(32)}`);
  });

  it("can be counted through, with conditions and constraints", () => {
    const space = defineSpace(
      { deep: boolean(), width: integer(1, 2), depth: when({ deep: true }, integer(2, 4)) },
      ({ width, depth }) => depth !== 4 || width === 1,
    );
    assert.deepEqual(
      [...everyPoint(space)].map((point) => Object.values(namedValues(space, point)).join(" ")),
      ["false 1", "false 2", "true 1 2", "true 1 3", "true 1 4", "true 2 2", "true 2 3"],
    );
  });

  it("is refused in one line when it cannot be", () => {
    const refusal = (define: () => unknown) => {
      try {
        define();
      } catch (error) {
        return (error as Error).message;
      }
      return "accepted";
    };
    const one = (x: Parameters<typeof defineSpace>[0][string]) => refusal(() => defineSpace({ x }));
    assert.equal(one(real(3, 1)), "the space x: min 3 is above max 1");
    assert.equal(one(real(0, Number.NaN)), "the space x: min and max are numbers, not 0 and NaN");
    assert.equal(one(real(0, 1, { step: 2 })), "the space x: step 2 is larger than the range from 0 to 1");
    // 0.3 - 0.2 is a little less than 0.1.
    assert.equal(one(real(0.2, 0.3, { step: 0.1 })), "accepted");
    assert.equal(one(real(0, 1, { step: 0 })), "the space x: a step is above 0, not 0");
    assert.equal(one(real(0, 1, { log: true })), "the space x: a logarithmic scale starts above 0, not at 0");
    assert.equal(one(choice([])), "the space x: there is no value to choose from: name at least one");
    assert.equal(one(choice(["a", "a"])), 'the space x: the value "a" is there twice');
    assert.equal(
      refusal(() => defineSpace({})),
      "the space has no parameters: name at least one",
    );
    assert.equal(
      one(when({ y: 1 }, real(0, 1))),
      "the space x: its condition is on y, which is not a parameter; the parameters are x",
    );
    const y = choice(["a", "b"]);
    assert.equal(
      refusal(() => defineSpace({ x: when({ y: "c" }, real(0, 1)), y })),
      "the space x: its condition is y = c, but y is one of a, b",
    );
    assert.equal(
      refusal(() => defineSpace({ x: when({ n: 1.5 }, real(0, 1)), n: integer(1, 3) })),
      "the space x: its condition is n = 1.5, but n is never between two of its steps",
    );
    assert.equal(
      one(real(-1e308, 1e308)),
      "the space x: the range from -1e+308 to 1e+308 is too wide to be counted in",
    );
    assert.equal(
      refusal(() => defineSpace({ x: when({ y: "a" }, boolean()), y: when({ x: true }, y), z: boolean() })),
      "the space: the conditions of x, y go round in a circle: remove one of them",
    );
  });
});

describe("a rule", () => {
  const names = ["width", "depth", "kind", "deep"];
  const holds = (says: string, values: Record<string, number | string | boolean>) =>
    ruleOf("space.yaml", says, names).holds(values);

  it("computes, compares and combines, and holds where a parameter does not exist", () => {
    const point = { width: 4, depth: 3, kind: "a", deep: true };
    const right = [
      "width * depth == 12",
      "width - 1 <= depth",
      "-width < 0",
      'kind == "a" and not width < depth',
      "deep",
    ];
    const wrong = ["width / depth > 2", "kind == 'b' or depth > 3", "not deep", "(width + depth) * 2 != 14"];
    for (const rule of right) assert.equal(holds(rule, point), true, rule);
    for (const rule of wrong) assert.equal(holds(rule, point), false, rule);
    assert.equal(holds("depth <= 1", { width: 1 }), true);
    assert.equal(holds("not depth <= 1", { width: 1 }), true);
  });

  it("is refused with what is wrong in it", () => {
    for (const [rule, why] of [
      ["width <", "it ends too early"],
      ["(width", "a bracket is not closed"],
      ["height > 1", "height is neither a parameter (width, depth, kind, deep) nor anything else that is known"],
      ["width > 1 2", "2 is not expected there"],
      [
        "process.exit()",
        "process.exit is neither a parameter (width, depth, kind, deep) nor anything else that is known",
      ],
    ]) {
      assert.throws(() => holds(rule, {}), { message: `space.yaml: constraint ${JSON.stringify(rule)}: ${why}` });
    }
  });
});
