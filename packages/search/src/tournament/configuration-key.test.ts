import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { configurationKey, keysAlong } from "./configuration-key.ts";
import { withValue } from "./parameter.ts";

const names = fc.constantFrom("a", "b", "B", "ab", "é", '"', "1");
const leaf = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.string(), fc.boolean(), fc.constant(null));
const { tree } = fc.letrec<{ tree: Record<string, unknown>; item: unknown }>((tie) => ({
  tree: fc.dictionary(names, tie("item"), { maxKeys: 4, noNullPrototype: true }),
  item: fc.oneof({ maxDepth: 3 }, leaf, fc.array(leaf, { maxLength: 3 }), tie("tree")),
}));

describe("the key of a configuration", () => {
  it("is the same for equal configurations, whatever the order of their fields", () => {
    assert.equal(
      configurationKey({ a: 1, b: { c: [1, 2], d: "x" } }),
      configurationKey({ b: { d: "x", c: [1, 2] }, a: 1 }),
    );
    assert.notEqual(configurationKey({ a: [1, 2] }), configurationKey({ a: [2, 1] }));
    assert.notEqual(configurationKey({ a: 0 }), configurationKey({ a: -0 }));
  });

  it("can be made from what stands around the value, wherever that is and whether or not something is there", () => {
    fc.assert(
      fc.property(tree, fc.array(names, { minLength: 1, maxLength: 3 }), leaf, (configuration, path, value) => {
        assert.equal(keysAlong(configuration, path)(value), configurationKey(withValue(configuration, path, value)));
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
