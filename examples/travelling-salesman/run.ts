import { defineRun } from "@coppice/engine";
import type { CityOptions } from "./cities.ts";
import { type BestTour, restarts } from "./restarts.ts";

/** `coppice run examples/travelling-salesman/run.ts --option cities=1000` */
export default defineRun({
  options: { cities: 400, citySeed: 1, rounds: 100, attempts: 16 },
  search: ({ options: { rounds, attempts } }) => restarts({ rounds, attempts }),
  evaluator: "./improve-tour.ts",
  context: ({ options: { cities, citySeed } }): CityOptions => ({ cities, citySeed }),
  describe: ({ length, history }: BestTour) =>
    `tour of length ${length.toFixed(4)}; the first round's best was ${history[0].toFixed(4)}`,
});
