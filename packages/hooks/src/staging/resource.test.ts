import assert from "node:assert/strict";
import { matchesGlob } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { globsOverlap } from "./resource.ts";

describe("overlapping globs", () => {
  it("knows the usual cases", () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ["/p/a.json", "/p/a.json", true],
      ["/p/a.json", "/p/b.json", false],
      ["/p/*.json", "/p/a.json", true],
      ["/p/*.json", "/p/x/a.json", false],
      ["/p/**", "/p/x/y/a.json", true],
      ["/p/**/a.json", "/p/**/b.json", false],
      ["/p/**/a.json", "/p/x/*", true],
      ["/p/session_*_state.json", "/p/*_state.json", true],
      ["/p/session_*_state.json", "/p/confidence_state.json", false],
      ["/p/?.md", "/p/ab.md", false],
      ["/p/[ab].md", "/p/a.md", true],
      ["net:*", "net:example.org", true],
    ];
    for (const [a, b, expected] of cases) {
      assert.equal(globsOverlap(a, b), expected, `${a} ${b}`);
      assert.equal(globsOverlap(b, a), expected, `${b} ${a}`);
    }
  });

  it("says yes whenever one path matches both, and no only when none does", () => {
    const letter = fc.constantFrom("a", "b");
    const segment = fc.array(fc.oneof({ weight: 3, arbitrary: letter }, fc.constantFrom("*", "?")), {
      minLength: 1,
      maxLength: 3,
    });
    const glob = fc
      .array(
        fc.oneof({ weight: 4, arbitrary: segment.map((s) => s.join("").replace(/\*+/g, "*")) }, fc.constant("**")),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      .map((segments) => segments.join("/"));
    const wordsOf = (length: number): readonly string[] =>
      length === 0 ? [""] : wordsOf(length - 1).flatMap((word) => [`${word}a`, `${word}b`]);
    const short = [1, 2].flatMap(wordsOf);
    const words = [...short, ...[3, 4].flatMap(wordsOf)];
    const paths = [...words, ...short.flatMap((x) => short.flatMap((y) => [`${x}/${y}`, `a/${x}/${y}`]))];
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        const witness = paths.find((path) => matchesGlob(path, a) && matchesGlob(path, b));
        if (witness !== undefined) assert.ok(globsOverlap(a, b), `${a} and ${b} both match ${witness}`);
        // Globs of one segment have a witness of at most four characters, if they have one.
        else if (!/\*\*|\//.test(`${a}${b}`)) assert.ok(!globsOverlap(a, b), `${a} and ${b} match nothing in common`);
      }),
      { numRuns: 400 },
    );
  });
});
