import { defineRun } from "@coppice/engine";
import { differentialEvolution } from "@coppice/search";

/** The lowest point of a valley that bends, over two numbers. */
export default defineRun({
  search: ({ seed }) =>
    differentialEvolution({
      seed,
      bounds: [
        [-2, 2],
        [-1, 3],
      ],
      population: 20,
      generations: 100,
    }),
  evaluate: (_state, [x, y]: readonly number[]) => (1 - x) ** 2 + 100 * (y - x * x) ** 2,
});
