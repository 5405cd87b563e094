import { defineRun } from "@coppice/engine";
import { Mcts, type MctsResult } from "@coppice/search";
import { type Combine, numberGame, type Table } from "./problem.ts";

/** `coppice run examples/number-game/run.ts --option numbers="2 3 7 25 50" --option target=431` */
export default defineRun({
  options: { numbers: "2 3 7 25 50", target: 442, evaluations: 3000 },
  search: ({ seed, options: { numbers, evaluations } }) =>
    new Mcts(numberGame(numbers.split(" ").map(Number)), { seed, goal: "minimise", budget: { evaluations } }),
  evaluator: "./distance.ts",
  context: ({ options: { target } }) => target,
  describe: ({ best, evaluations }: MctsResult<Table, Combine>) =>
    best === undefined
      ? "nothing found"
      : `${best.actions.map(({ first, sign, second }) => `${first} ${sign} ${second}`).join(", ")}: off by ${best.value} after ${evaluations} evaluations`,
});
