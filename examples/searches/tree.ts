import { defineRun } from "@coppice/engine";
import { Mcts, type Problem } from "@coppice/search";

/** Eight bits, one decision each; which of the 256 words is worth most is found by evaluating some of them. */
const words: Problem<string, string> = {
  root: "",
  actions: () => ["0", "1"],
  step: (word, bit) => word + bit,
  isTerminal: (word) => word.length === 8,
  key: (word) => word,
};

export default defineRun({
  search: ({ seed }) => new Mcts(words, { seed, playout: "prior", knownEnds: "once", budget: { evaluations: 200 } }),
  evaluate: (_state, word: string) => [...word].filter((bit, i) => bit === "10110100"[i]).length,
  describe: ({ best, stopped }) => `${best?.state} is worth ${best?.value} (${stopped})`,
});
