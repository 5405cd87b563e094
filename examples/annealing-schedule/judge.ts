import { defineEvaluator, random } from "@coppice/engine/evaluator";
import { anneal, type Schedule } from "./annealing.ts";
import { drawMap } from "./maps.ts";

/** What `space.json` gives every worker. */
interface Context {
  readonly cities: number;
  readonly steps: number;
  readonly maps: number;
}

/** What a tournament asks about: one configuration, all horizons. */
interface Candidate {
  readonly configuration: Schedule;
  readonly horizons: readonly string[];
}

/** Mean tour length on the maps of each horizon. All schedules meet the same maps and the same luck. */
export default defineEvaluator<Context, Context, Candidate, Record<string, number>>({
  setup: (context) => context,
  evaluate: ({ cities, steps, maps }, { configuration, horizons }, task) => {
    const scores: Record<string, number> = {};
    for (const [i, horizon] of horizons.entries()) {
      let total = 0;
      for (let map = 0; map < maps; map++) {
        total += anneal(drawMap(horizon, map, cities), configuration, steps, random(11).at(horizon).at(map));
      }
      scores[horizon] = total / maps;
      task.report({ done: i + 1, total: horizons.length, label: "Horizons" });
    }
    return scores;
  },
});
