import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type {
  EvaluationResult,
  EvaluationTask,
  Metrics,
  RootResult,
  TreeId,
  TreeTask,
  TreeValue,
} from "../contract.ts";
import { givenConversation } from "../conversation/conversation.ts";
import type { Again, ScoreConfig, TreeShape } from "../settings.ts";
import { isBetter, judge, rankScore } from "./barrier.ts";
import { branchContext } from "./branch-context.ts";
import { branch, IdeasHeard } from "./idea-choice.ts";
import type { RepeatedDepth } from "./repeated-depth.ts";
import { type Noise, RootMeasured, type ShapeInUse } from "./root-measured.ts";
import { type Step, Stepwise } from "./stepwise.ts";
import { taskKey } from "./task-key.ts";
import {
  compareIds,
  completedResult,
  type Decision,
  type DepthState,
  type EvaluationState,
  type NodeState,
  newNode,
  promotionOf,
  ROOT_ID,
  type StopReason,
  type TreeResult,
  treeId,
  treeNode,
} from "./tree-state.ts";

export interface TreeSearchOptions {
  readonly rootCommit: string;
  /** How two measurements are compared, and whether a repeat is the same for all: for measurements that are repeated. */
  readonly score: ScoreConfig;
  readonly paired: boolean;
  /** What shapes the given depth. */
  readonly shapeAt: (depth: number) => Omit<TreeShape, "sweepConfigLimit" | "dryRun">;
  /** Depths to evaluate; more of them only add to the tree that fewer would grow. */
  readonly maxDepth: number;
  /** Evaluations in all; null for no limit. */
  readonly maxEvaluations: number | null;
  /** This session goes no further than this many depths; null for no limit. */
  readonly stopAfterDepths: number | null;
  /** What is done once more in a depth before it is judged, in order. */
  readonly again: ReadonlyMap<number, readonly Again[]>;
}

type TreeStep = Step<TreeTask, TreeValue>;
type Batches<Result = void> = Generator<readonly TreeStep[], Result>;

/**
 * Beam search by depth: list the ideas of the frontier, evaluate them all, then gate against the parent, rank against
 * the root, and promote the best of the whole depth. Barriers are between these; nothing here has an effect or a clock.
 */
export class TreeSearch implements Search<TreeTask, TreeValue, TreeResult> {
  readonly #options: TreeSearchOptions;
  readonly #steps: Stepwise<TreeTask, TreeValue>;
  readonly #evaluationsOf = new Map<TreeId, EvaluationState[]>();
  readonly #decisions = new Map<TreeId, Decision>();
  readonly #ideas = new IdeasHeard();
  readonly nodes = new Map<TreeId, NodeState>();
  readonly depths: DepthState[] = [];
  /** By id, in the order of their ids. */
  readonly evaluations = new Map<TreeId, EvaluationState>();
  readonly #measured: RootMeasured;
  /** Of the depth that is grown; undefined where everything is measured once. */
  #repeated: RepeatedDepth | undefined;
  stopReason: StopReason | undefined;
  frontier: readonly NodeState[] = [];
  /** Highest rank, then highest root-relative primary delta; of equals the one made first. The root when there is no other. */
  best: NodeState | undefined;

  /** What whoever keeps account says of it, for people who watch. */
  says: (() => readonly string[]) | undefined;

  constructor(options: TreeSearchOptions) {
    this.#options = options;
    this.#measured = new RootMeasured(options);
    this.#steps = new Stepwise(this.#grow());
  }

  ask(): Proposal<TreeTask> {
    return this.#steps.ask();
  }

  tell(outcome: Outcome<TreeValue>, ask: number): void {
    this.#steps.tell(outcome, ask);
  }

  result(): TreeResult {
    const { best } = this;
    return {
      stopReason: this.stopReason ?? "one_depth",
      currentDepth: this.#completeDepths(),
      frontier: this.frontier.map(({ nodeId }) => nodeId),
      evaluations: this.evaluations.size,
      promotions: [...this.nodes.values()].flatMap(promotionOf),
      bestPath:
        best === undefined
          ? []
          : branch(best, this.nodes)
              .map(({ nodeId }) => nodeId)
              .reverse(),
      bestScore: best === undefined ? null : this.scoreOf(best),
    };
  }

  progress(): SearchProgress {
    const { told = 0, evaluations: { length: count } = [] } = this.depths.at(-1) ?? {};
    const repeats = this.#repeated?.progress(count);
    const evaluations = { name: "Evaluations", done: told, total: count };
    const levels = [
      { name: "Depths", done: this.#completeDepths(), total: this.#options.maxDepth },
      repeats === undefined
        ? evaluations
        : { name: "Measurements", done: told + repeats.done, total: count + repeats.total },
    ];
    const score = this.best === undefined ? null : this.scoreOf(this.best);
    const says = this.says?.() ?? [];
    return { levels, ...(score === null ? {} : { best: score }), ...(says.length === 0 ? {} : { says }) };
  }

  get root(): RootResult | undefined {
    return this.#measured.root;
  }

  get rootMetrics(): Metrics | undefined {
    return this.#measured.metrics;
  }

  shapeOf(depth: number): ShapeInUse {
    return this.#measured.shapeOf(depth);
  }

  noise(): Noise | undefined {
    return this.#measured.noise();
  }

  /** Rank of a node against the root; null for the root itself. */
  scoreOf(node: NodeState): number | null {
    const result = this.resultOf(node);
    return result === undefined ? null : rankScore(result);
  }

  /** What the evaluation came to that a node was promoted from; undefined for the root. */
  resultOf(node: NodeState): EvaluationResult | undefined {
    const made = node.evalId === null ? undefined : this.evaluations.get(node.evalId);
    return made === undefined ? undefined : completedResult(made);
  }

  decisionOf(evalId: TreeId): Decision | undefined {
    return this.#decisions.get(evalId);
  }

  // ── depth by depth ────────────────────────────────────────────────────────────────────────────────────────

  *#grow(): Batches {
    yield [this.#rootStep()];
    for (let depth = 0; ; depth++) {
      this.stopReason = this.#reasonToStopBefore(depth);
      if (this.stopReason !== undefined) return;
      const state: DepthState = {
        depth,
        frontier: this.frontier,
        evaluations: [],
        told: 0,
        decisions: new Map(),
        promotions: [],
        deferred: [],
        complete: false,
      };
      this.depths.push(state);
      this.#repeated = undefined;
      let calls = 0;
      for (const what of ["ideas", ...(this.#options.again.get(depth) ?? [])] as const) {
        if (this.stopReason !== undefined) break;
        if (what === "ideas") {
          const call = calls++;
          yield [
            ...this.#measured.againSteps(depth, this.nodes.get(ROOT_ID)),
            ...this.frontier.map((node) => this.#ideasStep(node, call)),
          ];
          this.#repeated ??= this.#measured.repeatsOf(depth);
        }
        const added = this.#settings(state, what);
        const firstOfNodes = added.length === 0 ? [] : (this.#repeated?.firstSteps(state.frontier) ?? []);
        yield [...firstOfNodes, ...added.map((evaluation) => this.#evaluationStep(state, evaluation))];
      }
      if (this.#repeated !== undefined) {
        yield* this.#repeated.race(state.evaluations);
        if (depth === 0) this.#measured.repeated(this.#repeated);
      }
      const { decisions, ranking } = judge(state.evaluations, this.shapeOf(depth));
      state.decisions = decisions;
      for (const [evalId, decision] of decisions) this.#decisions.set(evalId, decision);
      // What was finished is judged all the same; nodes are made when the depth is whole.
      if (this.stopReason !== undefined) return;
      this.frontier = yield* this.#promote(state, ranking);
      yield* this.#prune(state);
      state.complete = true;
    }
  }

  #reasonToStopBefore(depth: number): StopReason | undefined {
    const { maxDepth, maxEvaluations, stopAfterDepths } = this.#options;
    if (this.frontier.length === 0) return "empty_frontier";
    if (depth >= maxDepth) return "max_depth_reached";
    if (maxEvaluations !== null && this.evaluations.size >= maxEvaluations) return "max_total_idea_evals_reached";
    if (stopAfterDepths !== null && depth >= stopAfterDepths) return "one_depth";
    return undefined;
  }

  #rootStep(): TreeStep {
    const commit = this.#options.rootCommit;
    return {
      key: taskKey.root,
      task: { kind: "root", commit },
      tell: (outcome) => {
        const { baseline } = this.#measured.tell(expect(outcome, "root"));
        const made = { evalId: null, madeBy: null };
        const node = newNode({ nodeId: ROOT_ID, parentNodeId: null, depth: 0, commit, baseline, ...made });
        this.#add(node);
        this.frontier = [node];
      },
    };
  }

  /** `call` counts how often the node was asked before. */
  #ideasStep(node: NodeState, call: number): TreeStep {
    const context = branchContext(
      node,
      this.nodes,
      (owner) => this.#evaluationsOf.get(owner) ?? [],
      (evaluation) => this.#decisions.get(evaluation),
      this.root?.metrics ?? {},
    );
    const shape = this.#options.shapeAt(node.depth);
    const conversation = givenConversation(node, this.nodes, shape);
    const count = shape.ideasPerNode;
    const taken = node.ideas.map(({ name }) => name);
    return {
      key: taskKey.ideas(node.depth, node.nodeId, call),
      task: { kind: "ideas", node: treeNode(node), count, taken, context, conversation },
      tell: (outcome) => {
        this.#ideas.tell(node, expect(outcome, "ideas"));
      },
    };
  }

  /** One evaluation per idea, ids in the order of nodes and paths. */
  #settings(state: DepthState, what: Again): EvaluationState[] {
    const added: EvaluationState[] = [];
    for (const node of state.frontier) {
      const before = this.#evaluationsOf.get(node.nodeId) ?? [];
      const chosen =
        what === "ideas"
          ? this.#ideas.choose(node, this.nodes, this.#options.shapeAt(node.depth))
          : this.#ideas.chosen(node);
      for (const idea of chosen) {
        if (this.evaluations.size === this.#options.maxEvaluations) {
          this.stopReason = "max_total_idea_evals_reached";
          return added;
        }
        const evalId = treeId(this.evaluations.size + 1);
        const task: EvaluationTask = {
          kind: "evaluation",
          evalId,
          depth: state.depth,
          parent: treeNode(node),
          idea,
          rootBaseline: this.#measured.baseline,
        };
        const key = taskKey.evaluation(state.depth, node.nodeId, evalId);
        const wave = what === "ideas" ? 0 : before.filter(({ task }) => task.idea.path === idea.path).length;
        const evaluation: EvaluationState = { task, key, wave, outcome: undefined };
        this.evaluations.set(evalId, evaluation);
        state.evaluations.push(evaluation);
        added.push(evaluation);
        const own = this.#evaluationsOf.get(node.nodeId);
        if (own === undefined) this.#evaluationsOf.set(node.nodeId, [evaluation]);
        else own.push(evaluation);
      }
    }
    return added;
  }

  #evaluationStep(state: DepthState, evaluation: EvaluationState): TreeStep {
    return {
      key: evaluation.key,
      task: evaluation.task,
      tell: (outcome) => {
        state.told++;
        evaluation.outcome = outcome.ok
          ? { state: "completed", result: expect(outcome, "evaluation") }
          : { state: "failed", ...outcome.failure };
      },
    };
  }

  /** Makes nodes of the best, one after the other: if one cannot be made, the next takes its id and its place. */
  *#promote(state: DepthState, ranking: readonly EvaluationState[]): Batches<readonly NodeState[]> {
    const { beamWidth } = this.#options.shapeAt(state.depth);
    const made: NodeState[] = [];
    for (const { task, outcome } of ranking) {
      if (made.length === beamWidth) break;
      if (outcome?.state !== "completed") continue;
      const { commit, results } = outcome.result;
      const { evalId, idea } = task;
      const nodeId = treeId(this.nodes.size);
      const parentNodeId = task.parent.nodeId;
      const depth = state.depth + 1;
      yield [
        {
          key: taskKey.promotion(state.depth, nodeId, evalId),
          task: { kind: "promotion", nodeId, depth, parentNodeId, evalId, commit, results },
          tell: (told) => {
            const error = told.ok ? null : `${told.failure.type}: ${told.failure.message}`;
            state.promotions.push({ evalId, nodeId, error });
            if (!told.ok) return;
            const { baseline } = expect(told, "promotion");
            const node = newNode({ nodeId, parentNodeId, depth, commit, baseline, evalId, madeBy: idea });
            this.#add(node);
            made.push(node);
          },
        },
      ];
    }
    return made.toSorted((a, b) => compareIds(a.nodeId, b.nodeId));
  }

  *#prune(state: DepthState): Batches {
    if (state.evaluations.length === 0) return;
    const evaluations = state.evaluations.map(({ task, outcome }) => ({
      evalId: task.evalId,
      state: outcome?.state ?? "failed",
    }));
    yield [
      {
        key: taskKey.prune(state.depth),
        task: { kind: "prune", depth: state.depth, evaluations },
        tell: (outcome) => {
          state.deferred = outcome.ok
            ? expect(outcome, "prune").deferred
            : [`depth ${state.depth}: ${outcome.failure.type}: ${outcome.failure.message}`];
        },
      },
    ];
  }

  #add(node: NodeState): void {
    this.nodes.set(node.nodeId, node);
    if (this.best === undefined || isBetter(this.resultOf(node), this.resultOf(this.best))) this.best = node;
  }

  #completeDepths(): number {
    const last = this.depths.at(-1);
    return last === undefined ? 0 : last.depth + (last.complete ? 1 : 0);
  }
}

/** The value of a task that is of the kind that was asked for; a run stops before it tells that there is none. */
function expect<Kind extends TreeValue["kind"]>(
  outcome: Outcome<TreeValue>,
  kind: Kind,
): Extract<TreeValue, { kind: Kind }> {
  if (!outcome.ok) throw new Error(`the ${kind} task failed: ${outcome.failure.type}: ${outcome.failure.message}`);
  if (outcome.value.kind !== kind) throw new Error(`the ${kind} task gave a value of kind ${outcome.value.kind}`);
  return outcome.value as Extract<TreeValue, { kind: Kind }>;
}
