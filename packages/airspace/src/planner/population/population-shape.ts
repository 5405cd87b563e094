import type { MemoryLimits } from "../../proposals/plan-memory.ts";
import { partOf } from "../root-search.ts";
import type { Segment } from "./segment.ts";

/** How many walkers there are and how often they are compared. Both shape the answer; workers do not. */
export interface PopulationShape {
  readonly walkers: number;
  readonly rounds: number;
}

/** Evaluations that are worth a walker of their own. */
const PER_WALKER = 10_000;
const MOST_WALKERS = 256;

/** Evaluations of a segment: longer ones share too late what they found, shorter ones are all beginning. */
const PER_SEGMENT = 500;
const LEAST_PER_SEGMENT = 100;

/** The trees' and twenty of annealing: more of them gain nothing, with half as many plans are clearly worse. */
const USUAL_ROUNDS = 21;
/** Of few walkers with long ways: with twice as many they come to resemble each other. */
const MOST_ROUNDS = 40;

/** As chosen, otherwise as usual: walkers by the evaluations, never by the machine, and rounds by those of a walker. */
export function populationShape(evaluations: number, chosen: Partial<PopulationShape> = {}): PopulationShape {
  const { walkers = Math.min(MOST_WALKERS, Math.max(1, Math.round(evaluations / PER_WALKER))) } = chosen;
  const each = evaluations / walkers;
  const few = Math.min(USUAL_ROUNDS, Math.floor(each / LEAST_PER_SEGMENT));
  const { rounds = Math.max(1, few, Math.min(MOST_ROUNDS, Math.round(each / PER_SEGMENT))) } = chosen;
  return { walkers, rounds };
}

/** Evaluations without which a segment could not even score its start and one other plan; a lone segment needs only one. */
export function leastEvaluations({ walkers, rounds }: PopulationShape): number {
  return walkers * rounds === 1 ? 1 : 2 * walkers * rounds;
}

/** What walkers remember together, for each 10,000 evaluations of a walker: those who search longer look further back. */
const REMEMBERED: MemoryLimits = { lines: 400, plans: 64 };

/** Part of the rounds in which few walkers go ways of their own: handed on from the start, one plan would soon be all of theirs. */
const APART = 0.3;

/** How many times as long as usual a walker's way is; 1 unless fewer walkers were chosen than there usually are. */
function wayLength({ walkers }: PopulationShape, evaluations: number): number {
  return Math.min(4, Math.max(1, Math.round(evaluations / walkers / PER_WALKER)));
}

/** How much the walkers of a population remember; a segment is sent it, so there is an end to it. */
export function memoryLimits(shape: PopulationShape, evaluations: number): MemoryLimits {
  const times = wayLength(shape, evaluations);
  return { lines: times * REMEMBERED.lines, plans: times * REMEMBERED.plans };
}

/** Whether plans of the better half are handed on after a round. */
export function handsOn(shape: PopulationShape, evaluations: number, round: number): boolean {
  return wayLength(shape, evaluations) === 1 || round >= APART * shape.rounds;
}

/** How the population cools, in the unit of the objective: the same for all walkers of a round. */
const TEMPERATURE = { first: 5, last: 0.3 };

/** Share of a walker's evaluations that its tree uses in the first round. */
const IN_TREES = 0.1;

/** What is decided of a segment before anything is searched: its kind, evaluations and temperatures. */
export function plannedSegment(
  { walkers, rounds }: PopulationShape,
  evaluations: number,
  withTree: boolean,
  round: number,
  walker: number,
): Pick<Segment, "kind" | "evaluations" | "temperature"> {
  const own = partOf(evaluations, walkers, walker);
  // A single round has nothing to hand a tree's plans on to.
  const treeRounds = withTree && rounds > 1 ? 1 : 0;
  const inTree = treeRounds * Math.max(2, Math.round(IN_TREES * own));
  const annealed = rounds - treeRounds;
  const leg = round - treeRounds;
  const { first, last } = TEMPERATURE;
  const heat = (leg: number) => first * (last / first) ** (leg / annealed);
  return {
    kind: leg < 0 ? "tree" : "annealing",
    evaluations: leg < 0 ? inTree : partOf(own - inTree, annealed, leg),
    temperature: { first: heat(Math.max(0, leg)), last: heat(leg + 1) },
  };
}
