import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decode, encode, ValueRefused } from "./encode.ts";

describe("encode", () => {
  it("gives back exactly what it was given, for anything that is data", () => {
    const data = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: false,
      withSparseArray: false,
      withObjectString: false,
    });
    fc.assert(
      fc.property(data, (value) => assert.deepStrictEqual(decode(encode(value)), value)),
      { numRuns: 1000 },
    );
  });

  it("keeps what JSON alone would change", () => {
    for (const value of [-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined, 12n]) {
      assert.ok(
        Object.is(decode(encode({ deep: [value] })) as never, value) || same(decode(encode({ deep: [value] })), value),
      );
      assert.ok(Object.is(decode(encode(value)), value));
    }
  });

  it("keeps objects that look like tags, and hostile keys", () => {
    for (const text of ['{"$":"number","v":"NaN"}', '{"__proto__":{"$":1,"x":2}}', '{"a":{"$":[]}}']) {
      const value: unknown = JSON.parse(text);
      assert.deepStrictEqual(decode(encode(value)), value);
    }
  });

  it("keeps maps whose keys are objects that cannot be made a text", () => {
    const value = new Map([[{ toString: new Set() }, new Date(0)]]);
    assert.deepStrictEqual(decode(encode(value)), value);
  });

  it("writes frozen parts once and what can change each time", () => {
    const changing = { n: 1 };
    const fixed = Object.freeze({ a: Object.freeze([1, "\u2028", null]), b: "x" });
    const half = Object.freeze({ changing, fixed });
    for (const n of [1, 2, 3]) {
      changing.n = n;
      const value = { n, fixed, half, again: [half, fixed] };
      assert.equal(encode(value), JSON.stringify(value));
      assert.deepStrictEqual(decode(encode(value)), value);
    }
    const odd = Object.freeze({ at: Object.freeze([-0, undefined]), fixed });
    for (const _ of [1, 2]) assert.deepStrictEqual(decode(encode(odd)), odd);
  });

  it("is stable: encoding what was decoded gives the same text", () => {
    fc.assert(
      fc.property(fc.anything({ withMap: true, withSet: true, withBigInt: true }), (value) => {
        const text = encode(value);
        assert.equal(encode(decode(text)), text);
      }),
    );
  });

  it("refuses what cannot be written down, and says where it stands", () => {
    const cycle: Record<string, unknown> = { list: [] };
    cycle.list = [cycle];
    class Point {}
    const holes = [1, 2, 3];
    delete holes[1];
    const cases: [unknown, RegExp][] = [
      [() => 1, /^value is a function/],
      [{ a: [Symbol("x")] }, /^value\.a\[0\] is a symbol/],
      [cycle, /^value\.list\[0\] refers back/],
      [{ p: new Point() }, /^value\.p is a Point/],
      [holes, /holes/],
      [{ [Symbol("k")]: 1 }, /symbol as a key/],
      [new DataView(new ArrayBuffer(2)), /DataView/],
    ];
    for (const [value, message] of cases) {
      assert.throws(
        () => encode(value),
        (error) => error instanceof ValueRefused && message.test(error.message),
      );
    }
  });

  it("refuses values over the limit, counted in bytes", () => {
    assert.equal(encode("ééé", 8), '"ééé"');
    assert.throws(() => encode("ééé", 7), /takes 8 bytes encoded; the limit is 7/);
  });

  it("writes long texts as JSON does, wherever something must be escaped", () => {
    const odd = fc.constantFrom(
      "",
      '"',
      "\\",
      "\n",
      "\u001f",
      "\u007f",
      "é",
      "\u2028",
      "😀",
      "\ud800",
      "!",
      "#",
      "[",
      "]",
    );
    const place = fc.oneof(fc.nat(140_000), fc.constantFrom(0, 65_533, 65_534, 65_535, 65_536, 131_071));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(odd, place), { maxLength: 3 }),
        fc.integer({ min: 4000, max: 140_000 }),
        (marks, length) => {
          let text = "plain text, 7 ".repeat(length / 14);
          for (const [mark, at] of marks) text = text.slice(0, at) + mark + text.slice(at);
          const value = { a: [text, null, 1.5, true, "short"], 2: text, __proto__: null };
          assert.ok(encode(value) === JSON.stringify(value));
          assert.ok(decode(encode(text)) === text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("survives very deep data", () => {
    let value: unknown = 1;
    for (let i = 0; i < 500; i++) value = [value];
    assert.deepStrictEqual(decode(encode(value)), value);
  });
});

function same(decoded: unknown, value: unknown): boolean {
  return Object.is((decoded as { deep: unknown[] }).deep[0], value);
}
