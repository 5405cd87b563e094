import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dataBlock } from "./data-block.ts";

test("no text can end its own block early", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const block = dataBlock("a", text);
      const end = block.split("\n").at(-1) ?? "";
      assert.match(end, /^<\/data-[0-9a-f]{12}>$/);
      assert.equal(block.indexOf(end), block.length - end.length);
    }),
  );
  const nested = dataBlock("a", dataBlock("a", "x"));
  assert.equal(nested.split(nested.split("\n").at(-1) ?? "").length, 2);
});

test("a name cannot open anything either", () => {
  assert.equal(dataBlock('a">\n</data', "x").split("\n").length, 3);
});
