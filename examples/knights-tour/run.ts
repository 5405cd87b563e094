import { defineRun } from "@coppice/engine";
import { Mcts, type MctsResult } from "@coppice/search";
import { knightsTour, type Tour } from "./problem.ts";

/** `coppice run examples/knights-tour/run.ts --option size=6` */
export default defineRun({
  options: { size: 6, evaluations: 400, temperature: 1 },
  search: ({ seed, options: { size, evaluations, temperature } }) =>
    new Mcts(knightsTour(size), { seed, temperature, playout: "prior", budget: { evaluations } }),
  evaluate: (_state: undefined, tour: Tour) => tour.length,
  describe: ({ best }: MctsResult<Tour, number>) => `${best?.value ?? 0} squares: ${best?.state.join(" ") ?? "none"}`,
});
