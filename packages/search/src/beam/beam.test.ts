import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runByHand } from "../../test/by-hand.ts";
import { greedy } from "../greedy/greedy.ts";
import type { Problem } from "../mcts/problem.ts";
import { Beam } from "./beam.ts";

/** Binary words of four letters. */
const words: Problem<string, string> = {
  root: "",
  actions: () => ["0", "1"],
  step: (word, letter) => word + letter,
  isTerminal: (word) => word.length === 4,
  key: (word) => word,
};

/** The way to the best word starts with the worse letter. */
const value = (word: string): number => (word === "0111" ? 100 : [...word].filter((letter) => letter === "1").length);

describe("a beam", () => {
  it("keeps the best of each depth, and finds behind a worse start what a greedy walk does not", () => {
    const wide = runByHand(new Beam(words, { goal: "maximise", width: 4, maxDepth: 4 }), value);
    assert.deepEqual(wide.result, { state: "0111", actions: ["0", "1", "1", "1"], value: 100 });
    const narrow = runByHand(greedy(words, { goal: "maximise", maxDepth: 4 }), value);
    assert.deepEqual(narrow.result, { state: "1111", actions: ["1", "1", "1", "1"], value: 4 });
    assert.equal(narrow.keys.length, 1 + 4 * 2);
  });

  it("gives the best of any depth, and ignores what failed", () => {
    const falling = runByHand(greedy(words, { goal: "minimise", maxDepth: 4 }), (word) => {
      if (word.endsWith("0")) throw new Error("no");
      return word.length;
    });
    assert.deepEqual(falling.result, { state: "", actions: [], value: 0 });
  });

  it("stops at its depth", () => {
    const { keys } = runByHand(new Beam(words, { goal: "maximise", width: 9, maxDepth: 2 }), value);
    assert.deepEqual(keys, ["", "0", "1", "10", "11", "00", "01"]);
  });
});
