import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { specifiers } from "./specifiers.ts";

const found = (code: string) => specifiers(code).map(({ text }) => text);

describe("what a module loads", () => {
  const forms: [string, string[]][] = [
    ['import "./a.ts";', ["./a.ts"]],
    ["import a from './a.ts'", ["./a.ts"]],
    ['import a,{b as c}from"./a.ts"', ["./a.ts"]],
    [
      'import * as a from "./a.ts"; export * from "./b.ts"; export { c } from "./c.ts";',
      ["./a.ts", "./b.ts", "./c.ts"],
    ],
    ['import data from "./a.json" with { type: "json" };', ["./a.json"]],
    ['import {\n  a, // one\n  b, /* two */\n} /* three */ from // four\n  "./a.ts";', ["./a.ts"]],
    ['const a = await import("./a.ts"); import(/* later */ `./b.ts`)', ["./a.ts", "./b.ts"]],
    ['const a = require("./a.cjs"), b = require.resolve( "b" );', ["./a.cjs", "b"]],
    ['import a = require("./a.cts");', ["./a.cts"]],
    ['new Worker(new URL("./a.ts", import.meta.url)); import.meta.resolve("b")', ["./a.ts", "b"]],
    ['import { type A, type B } from "./a.ts";', ["./a.ts"]],
    ['import type from "./a.ts"; import type, { b } from "./b.ts";', ["./a.ts", "./b.ts"]],
    ['import "./\\u0061.ts"; import "./\\x62.ts"; import "./it\\\'s.ts"', ["./a.ts", "./b.ts", "./it's.ts"]],
    // A regular expression with a quote in it, and a division, hide nothing that follows.
    ['const q = /["\'`]/g, half = a / 2; import("./a.ts")', ["./a.ts"]],
    ["const t = `\u0024{1 / 2} \\` '`;\nexport { a } from './a.ts'", ["./a.ts"]],
    // Gone when types are.
    ['import type { A } from "./a.ts";\nexport type { B, C } from "./b.ts";\n  import type D from "./d.ts";', []],
    ['export type * as E from "./e.ts";\nimport type from from "./f.ts";', []],
    // Known only when it runs.
    ["import(`./\u0024{name}.ts`); require(name); import(name)", []],
  ];
  for (const [code, expected] of forms)
    it(`is found in ${JSON.stringify(code)}`, () => assert.deepEqual(found(code), expected));

  it("is not hidden by a comment that looks like an import of types", () => {
    assert.deepEqual(found('import { a, // import type {\n b } from "./a.ts"'), ["./a.ts"]);
    assert.deepEqual(found('import { a, /*\nimport type { */ b } from "./a.ts"'), ["./a.ts"]);
  });

  it("is found whatever stands before and after it", () => {
    const noise = fc.string({
      unit: fc.constantFrom(..."\"'`/*\\\n ;{}()[]$a1=.import from type".split("")),
      maxLength: 40,
    });
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        // A quote or comment that is open where the import begins makes it no import, but it is found all the same.
        const code = `${before}\nimport { a } from "./wanted.ts";\n${after}`;
        return found(code).includes("./wanted.ts");
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it("is read in a time that grows with the text, whatever the text", () => {
    const hostile = [
      `from${" ".repeat(200_000)}`,
      `import${"/* a */".repeat(30_000)}`,
      `from "${"\\".repeat(200_001)}`,
    ];
    for (const text of hostile) {
      const from = performance.now();
      found(text);
      assert.ok(performance.now() - from < 5_000, text.slice(0, 20));
    }
  });
});
