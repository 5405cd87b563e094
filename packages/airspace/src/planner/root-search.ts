import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { Planning } from "./make-plan.ts";
import type { PlannerOptions } from "./planner-options.ts";

/** What one of the independent searches is told. */
export type RootTask = Pick<PlannerOptions, "policy" | "seed" | "evaluations" | "without">;

/** One of the independent searches, as the log shows it. */
export interface RootSummary {
  readonly root: number;
  readonly seed: number;
  readonly evaluations: number;
  /** Undefined if it failed. */
  readonly objective: number | undefined;
  readonly failure: string | undefined;
  /** Best objective after so many of its evaluations, each time it fell. */
  readonly convergence: Planning["convergence"];
}

export interface RootResult {
  /** The best plan; of equal ones that of the lowest root. Undefined if every root failed. */
  readonly best: Planning | undefined;
  readonly bestRoot: number | undefined;
  readonly evaluations: number;
  readonly treeEvaluations: number;
  readonly treeNodes: number;
  readonly roots: readonly RootSummary[];
}

/** Seeds of neighbouring roots are this far apart. */
const SEED_STEP = 10_000;

/** The tasks of `roots` independent searches that share a budget; their evaluations add up to it. */
export function rootTasks(options: PlannerOptions, roots: number): RootTask[] {
  const { policy, without } = options;
  return Array.from({ length: roots }, (_, root) => ({
    policy,
    without,
    seed: options.seed + SEED_STEP * root,
    evaluations: Math.floor(options.evaluations / roots) + (root < options.evaluations % roots ? 1 : 0),
  }));
}

/** Runs independent searches and takes the best plan. How many there are shapes the answer; how many run at once does not. */
export class RootSearch implements Search<RootTask, Planning, RootResult> {
  readonly #tasks: readonly RootTask[];
  readonly #outcomes: Outcome<Planning>[] = [];
  #asked = 0;

  constructor(options: PlannerOptions, roots: number) {
    if (!(Number.isInteger(roots) && roots >= 1)) throw new RangeError(`roots must be at least 1, not ${roots}`);
    if (options.evaluations < roots) {
      throw new RangeError(`${options.evaluations} evaluations are too few for ${roots} roots`);
    }
    this.#tasks = rootTasks(options, roots);
  }

  ask(): Proposal<RootTask> {
    const task = this.#tasks[this.#asked];
    if (task === undefined) return { kind: this.#outcomes.length === this.#tasks.length ? "done" : "wait" };
    return { kind: "candidate", candidate: task, key: `root/${this.#asked++}` };
  }

  tell(outcome: Outcome<Planning>): void {
    this.#outcomes.push(outcome);
  }

  result(): RootResult {
    let best: Planning | undefined;
    let bestRoot: number | undefined;
    let [evaluations, treeEvaluations, treeNodes] = [0, 0, 0];
    const roots = this.#outcomes.map((outcome, root): RootSummary => {
      const { seed } = this.#tasks[root];
      if (!outcome.ok) {
        return { root, seed, evaluations: 0, objective: undefined, failure: outcome.failure.message, convergence: [] };
      }
      const planning = outcome.value;
      evaluations += planning.evaluations;
      treeEvaluations += planning.treeEvaluations;
      treeNodes += planning.treeNodes;
      if (best === undefined || planning.score.objective < best.score.objective) {
        best = planning;
        bestRoot = root;
      }
      const { objective } = planning.score;
      const { convergence } = planning;
      return { root, seed, evaluations: planning.evaluations, objective, failure: undefined, convergence };
    });
    return { best, bestRoot, evaluations, treeEvaluations, treeNodes, roots };
  }

  progress(): SearchProgress {
    const { best } = this.result();
    return {
      levels: [{ name: "Roots", done: this.#outcomes.length, total: this.#tasks.length }],
      ...(best === undefined ? {} : { best: best.score.objective }),
    };
  }
}
