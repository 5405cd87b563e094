import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { printable, printableJson, styled } from "./printable.ts";

/** Whatever a terminal could obey, and some text. */
const pieces = fc.constantFrom(
  ..."\u001b [ ] P \\ ; 0 31m m J 2J ? \u0007 \u009b \u009c \u009d \u0090 \r \b \u0000 \u007f \u202e \u2066 a é 👩‍👧 \t ( B".split(
    " ",
  ),
  "\n",
  " ",
);
const obeyed = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

describe("what is printed", () => {
  it("leaves out sequences that a terminal obeys and keeps the text", () => {
    const shown = {
      "\u001b[31mred\u001b[0m": "red",
      "\u001b]0;owned\u0007title \u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\": "title link",
      "\u009b2J\u0090q\u009cx": "x",
      "a\r\nb\rc\bd\u0000": "a\nbcd",
      "never \u001b]0;ended\nbut not hidden": "never 0;ended\nbut not hidden",
      "\u001b(Bx \u001bc": "x ",
      "evil\u202etxt.exe\u2066": "eviltxt.exe",
      "👩‍👧 é\ttab\n": "👩‍👧 é\ttab\n",
    };
    for (const [text, expected] of Object.entries(shown)) assert.equal(printable(text), expected, JSON.stringify(text));
  });

  it("holds nothing that a terminal obeys, and loses nothing else when there is nothing to obey", () => {
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join("")),
        (text) => {
          const shown = printable(text);
          assert.doesNotMatch(shown, obeyed);
          assert.equal(printable(shown), shown);
          if (!obeyed.test(text)) assert.equal(shown, text);
          const json = printableJson(JSON.stringify({ text }));
          assert.doesNotMatch(json, obeyed);
          assert.deepEqual(JSON.parse(json), { text });
        },
      ),
    );
  });

  it("keeps what we style ourselves on a terminal, and nothing that only looks like it", (t) => {
    const before = process.env.FORCE_COLOR;
    process.env.FORCE_COLOR = "1";
    t.after(() => {
      if (before === undefined) delete process.env.FORCE_COLOR;
      else process.env.FORCE_COLOR = before;
    });
    const title = styled("bold", "title");
    assert.equal(printable(`${title} \u001b[1mname\u001b[22m`), "\u001b[1mtitle\u001b[22m name");
  });

  it("takes time in proportion to the text, whatever it begins and never ends", () => {
    for (const beginning of ["\u001b]", "\u009d", "\u001b[", "\u001bP;", "\u001b]0;\u001b"]) {
      const text = beginning.repeat(300_000);
      const begin = performance.now();
      assert.doesNotMatch(printable(text), obeyed);
      const took = performance.now() - begin;
      assert.ok(took < 5000, `${JSON.stringify(beginning)} took ${took} ms`);
    }
  });
});
