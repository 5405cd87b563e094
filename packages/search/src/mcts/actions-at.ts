import type { Random } from "@coppice/engine/evaluator";
import type { PriorNoise, Problem } from "./problem.ts";
import { priorsOf, withNoise } from "./selection.ts";

/** An action and how likely it is to be right, before anything was tried. */
interface Choice<Action> {
  readonly action: Action;
  readonly prior: number;
}

/** What can be done in a state, likely actions first, with noise in their priors where some is given. */
export function choicesAt<State, Action>(
  problem: Problem<State, Action>,
  state: State,
  temperature: number,
  noise: (PriorNoise & { readonly random: Random }) | undefined,
): Choice<Action>[] {
  const actions = problem.actions(state);
  if (actions.length === 0) return [];
  let priors = priorsAt(problem, state, actions, temperature);
  if (noise !== undefined) priors = withNoise(priors, noise.share, noise.concentration, noise.random);
  // The sort is stable: actions with equal priors stay in the problem's order.
  return actions.map((action, a) => ({ action, prior: priors[a] })).sort((a, b) => b.prior - a.prior);
}

/** Draws actions by their priors until nothing can be done. A state that comes up twice ends it; its step counts too. */
export function playOut<State, Action>(
  problem: Problem<State, Action>,
  from: State,
  temperature: number,
  draw: Random,
): { readonly state: State; readonly actions: readonly Action[]; readonly steps: number } {
  const seen = new Set([problem.key(from)]);
  const actions: Action[] = [];
  let state = from;
  while (!problem.isTerminal(state)) {
    const possible = problem.actions(state);
    if (possible.length === 0) break;
    const action = possible[draw.weightedIndex(priorsAt(problem, state, possible, temperature))];
    const next = problem.step(state, action);
    const key = problem.key(next);
    if (seen.has(key)) return { state, actions, steps: actions.length + 1 };
    seen.add(key);
    actions.push(action);
    state = next;
  }
  return { state, actions, steps: actions.length };
}

function priorsAt<State, Action>(
  problem: Problem<State, Action>,
  state: State,
  actions: readonly Action[],
  temperature: number,
): Float64Array {
  return priorsOf(problem.prior?.(state, actions) ?? new Float64Array(actions.length), temperature);
}
