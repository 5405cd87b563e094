import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RunDigest } from "../journal/run-digest.ts";
import { Aside, withoutAsides } from "./aside.ts";
import { decode, encode } from "./encode.ts";

const digest = (value: unknown): string => {
  const run = new RunDigest();
  run.add("a", true, encode(value));
  return run.value();
};

describe("an aside", () => {
  it("is written down and read back like the rest of a value", () => {
    const value = { found: 1, aside: new Aside({ ms: 12, when: new Date(5), nested: [new Aside(-0)] }) };
    assert.deepStrictEqual(decode(encode(value)), value);
  });

  it("is not part of a digest, and everything else is", () => {
    const once = (ms: number, found = "x") => ({ found, aside: new Aside({ ms }) });
    assert.equal(digest(once(1)), digest(once(2)));
    assert.equal(digest(once(1)), digest({ found: "x" }));
    assert.notEqual(digest(once(1)), digest(once(1, "y")));
  });

  it("cannot be claimed by data that looks like one", () => {
    const look = { $: "aside", v: 1 };
    assert.equal(withoutAsides(encode(look)), encode(look));
    assert.deepStrictEqual(decode(encode({ look, aside: new Aside(1) })), { look, aside: new Aside(1) });
    assert.notEqual(digest({ look }), digest({ look: { ...look, v: 2 } }));
    const text = '{"$":"aside","v":1}';
    assert.equal(withoutAsides(encode({ text })), encode({ text }));
  });
});
