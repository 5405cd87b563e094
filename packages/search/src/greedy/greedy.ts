import { Beam } from "../beam/beam.ts";
import type { Problem } from "../mcts/problem.ts";

/** Takes the best child of every depth and ends with the best state of all: a beam of one. */
export function greedy<State, Action>(
  problem: Problem<State, Action>,
  options: { readonly goal: "maximise" | "minimise"; readonly maxDepth: number },
): Beam<State, Action> {
  return new Beam(problem, { ...options, width: 1 });
}
