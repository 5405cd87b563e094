import type { Outcome } from "@coppice/engine";
import type {
  Comparison,
  EvaluationResult,
  EvaluationTask,
  KeptFile,
  Metrics,
  RepeatResult,
  TreeId,
  TreeNode,
  TreeTask,
  TreeValue,
} from "../contract.ts";
import { compare, EXPLORE_SCORE, gradeOf } from "../score/compare.ts";
import { type Samples, standingOf, stillRacing, verdicts } from "../score/race.ts";
import type { ScoreConfig, TreeShape } from "../settings.ts";
import { rankScore } from "./barrier.ts";
import type { Step } from "./stepwise.ts";
import { taskKey } from "./task-key.ts";
import { completedResult, type EvaluationState, type NodeState, treeNode } from "./tree-state.ts";

type RepeatStep = Step<TreeTask, TreeValue>;

interface RepeatedDepthOptions {
  readonly depth: number;
  readonly shape: Pick<TreeShape, "maxRepeats" | "leastGain" | "beamWidth"> & { readonly repeats: number };
  readonly score: ScoreConfig;
  /** A repeat is the same for all that are compared. */
  readonly paired: boolean;
  readonly rootBaseline: KeptFile;
  /** What the root came to, by repeat; undefined for the depth at which the root is measured. */
  readonly rootRepeats: Repeats | undefined;
}

/** How often at most: four times as often as at first, unless it is said. */
function limitOf({ repeats, maxRepeats }: RepeatedDepthOptions["shape"]): number {
  return Math.max(repeats, maxRepeats ?? repeats * 4);
}

/**
 * The repeats of a depth. Every candidate and the node it is compared with are measured in turns, so that a machine that
 * gets warm favours nobody; what is still open after the first repeats is measured again, up to a limit. Repeats are
 * tasks like any other: what is known at each is a function of what was told, not of when.
 */
export class RepeatedDepth {
  readonly #options: RepeatedDepthOptions;
  readonly #nodes = new Map<TreeId, Map<number, Metrics>>();
  readonly #candidates = new Map<TreeId, Map<number, Repeat>>();
  /** Repeats of candidates that failed. */
  readonly #failed = new Map<TreeId, number>();
  #asked = 0;
  #told = 0;
  #racing = false;

  constructor(options: RepeatedDepthOptions) {
    this.#options = options;
  }

  /** Repeats so far, of those that are sure to be made beside this many evaluations. */
  progress(evaluations: number): { readonly done: number; readonly total: number } {
    const planned = this.#racing ? 0 : evaluations * (this.#options.shape.repeats - 1);
    return { done: this.#told, total: Math.max(this.#asked, planned) };
  }

  /** A repeat of a node that was measured before the depth was known to need any. */
  know(nodeId: TreeId, repeat: number, metrics: Metrics): void {
    entryOf(this.#nodes, nodeId).set(repeat, metrics);
  }

  /** The nodes' own first measurement, to be made beside that of their candidates. */
  firstSteps(nodes: readonly NodeState[]): RepeatStep[] {
    if (this.#options.score.kind === "command") return [];
    return nodes
      .filter(({ nodeId }) => this.#nodes.get(nodeId)?.has(0) !== true)
      .map((node) => this.#step(treeNode(node), node.commit, undefined, 0));
  }

  /** Measures on until it is clear who is better and who is best, or the limit is reached; then each has its standing. */
  *race(evaluations: readonly EvaluationState[]): Generator<readonly RepeatStep[], void> {
    const { repeats } = this.#options.shape;
    const limit = limitOf(this.#options.shape);
    const entered = evaluations.filter((evaluation) => completedResult(evaluation) !== undefined);
    for (const { task, outcome } of entered) {
      if (outcome?.state !== "completed" || this.#candidates.has(task.evalId)) continue;
      const { metrics, parentRelative, rootRelative } = outcome.result;
      this.#candidates.set(task.evalId, new Map([[0, { metrics, compared: { parentRelative, rootRelative } }]]));
    }
    let racing = entered;
    this.#racing = true;
    for (let from = 1, to = repeats; racing.length > 0 && from < limit; from = to, to = Math.min(limit, to + repeats)) {
      yield this.#round(racing, from, to);
      this.#stand(entered);
      racing = this.#open(entered).filter((evaluation) => racing.includes(evaluation));
    }
  }

  /** What a node came to, by repeat. */
  repeatsOf(nodeId: TreeId): Repeats | undefined {
    return this.#nodes.get(nodeId);
  }

  /** Repeat by repeat, in each the nodes and after each its candidates. */
  #round(racing: readonly EvaluationState[], from: number, to: number): RepeatStep[] {
    const byParent = [...Map.groupBy(racing, ({ task }) => task.parent.nodeId).values()];
    return Array.from({ length: to - from }, (_, index) => from + index).flatMap((repeat) =>
      byParent.flatMap((candidates) => {
        const { parent } = candidates[0].task;
        const known = this.#options.score.kind === "command" || this.#nodes.get(parent.nodeId)?.has(repeat) === true;
        const own = known ? [] : [this.#step(parent, parent.commit, undefined, repeat)];
        const theirs = candidates.map((evaluation) => {
          const commit = completedResult(evaluation)?.commit ?? "";
          return this.#step(parent, commit, evaluation.task, repeat);
        });
        return [...own, ...theirs];
      }),
    );
  }

  #step(parent: TreeNode, commit: string, evaluation: EvaluationTask | undefined, repeat: number): RepeatStep {
    const { depth, rootBaseline } = this.#options;
    const evalId = evaluation?.evalId ?? null;
    const ideaName = evaluation?.idea.name ?? null;
    this.#asked++;
    return {
      key: taskKey.repeat(depth, parent.nodeId, evalId, repeat),
      task: { kind: "repeat", evalId, ideaName, depth, parent, commit, repeat, rootBaseline },
      tell: (outcome: Outcome<TreeValue>) => {
        this.#told++;
        // A repeat that failed is one the less.
        if (!outcome.ok || outcome.value.kind !== "repeat") {
          if (evalId !== null) this.#failed.set(evalId, (this.#failed.get(evalId) ?? 0) + 1);
          return;
        }
        const { metrics, compared } = outcome.value;
        if (evalId === null) entryOf(this.#nodes, parent.nodeId).set(repeat, metrics);
        else entryOf(this.#candidates, evalId).set(repeat, { metrics, compared });
      },
    };
  }

  /** Gives every evaluation the means of its repeats, and says how it stands. */
  #stand(entered: readonly EvaluationState[]): void {
    const test = this.#options.paired || this.#options.score.kind === "command" ? "paired" : "welch";
    const contenders = entered.map((evaluation) => {
      const result = completedResult(evaluation);
      if (result === undefined) throw new Error("only completed evaluations are measured again");
      const means = this.#means(evaluation, result);
      evaluation.outcome = { state: "completed", result: means };
      const samples = this.#samples(evaluation);
      return { samples, standing: standingOf(samples, test === "paired"), rankScore: rankScore(means) ?? 0 };
    });
    const sure = verdicts(contenders, this.#rules());
    for (const [index, evaluation] of entered.entries()) {
      const { standing, samples } = contenders[index];
      const failed = this.#failed.get(evaluation.task.evalId) ?? 0;
      const parent = this.#nodeMeans(evaluation.task.parent.nodeId) ?? null;
      evaluation.race = { standing, verdict: sure[index], test, scores: samples.candidate, failed, parent };
    }
  }

  #open(entered: readonly EvaluationState[]): EvaluationState[] {
    const contenders = entered.flatMap(({ race, outcome }) =>
      race === undefined || outcome?.state !== "completed"
        ? []
        : [{ standing: race.standing, rankScore: rankScore(outcome.result) ?? 0 }],
    );
    const open = stillRacing(contenders, this.#rules());
    return entered.filter((_, index) => open[index]);
  }

  #rules() {
    const { shape } = this.#options;
    const looks = Math.ceil(limitOf(shape) / shape.repeats);
    return { beamWidth: shape.beamWidth, leastGain: shape.leastGain ?? 0, looks };
  }

  /** Scores of an evaluation against its parent, and of the parent against its own mean. */
  #samples({ task }: EvaluationState): Samples {
    const { score, paired } = this.#options;
    const repeats = [...(this.#candidates.get(task.evalId) ?? [])].sort(([a], [b]) => a - b);
    if (score.kind === "command") {
      const said = repeats.flatMap(([, { compared }]) => compared?.parentRelative.score ?? []);
      return { candidate: said, baseline: null };
    }
    const nodes = this.#nodes.get(task.parent.nodeId) ?? new Map<number, Metrics>();
    const scoreOf = (metrics: Metrics, against: Metrics) =>
      compare({ metrics, rows: 1 }, { metrics: against, rows: 1 }, score).score ?? 0;
    if (paired) {
      const differences = repeats.flatMap(([repeat, { metrics }]) => {
        const node = nodes.get(repeat);
        return node === undefined ? [] : [scoreOf(metrics, node)];
      });
      return { candidate: differences, baseline: null };
    }
    const mean = meanOf(nodes);
    return {
      candidate: repeats.map(([, { metrics }]) => scoreOf(metrics, mean)),
      baseline: [...nodes.values()].map((metrics) => scoreOf(metrics, mean)),
    };
  }

  /** What a node came to beside its candidates; undefined where only they are measured. */
  #nodeMeans(nodeId: TreeId): Metrics | undefined {
    const { score, paired, rootRepeats } = this.#options;
    const nodes = this.#nodes.get(nodeId);
    if (score.kind === "command" || nodes === undefined) return undefined;
    return rootRepeats === undefined || !paired ? meanOf(nodes) : levelOf(nodes, rootRepeats, meanOf(rootRepeats));
  }

  /** An evaluation with the means of its repeats in place of its first measurement. */
  #means({ task }: EvaluationState, result: EvaluationResult): EvaluationResult {
    const { score, paired, rootRepeats } = this.#options;
    const repeats = [...(this.#candidates.get(task.evalId) ?? [])].map(([repeat, said]) => ({ repeat, ...said }));
    const own = new Map(repeats.map(({ repeat, metrics }) => [repeat, metrics]));
    const nodes = this.#nodes.get(task.parent.nodeId);
    const node = this.#nodeMeans(task.parent.nodeId);
    if (score.kind === "command" || nodes === undefined || node === undefined) {
      const metrics = meanOf(own);
      const compared = repeats.flatMap((repeat) => repeat.compared ?? []);
      const parentRelative = meanComparison(compared.map((each) => each.parentRelative));
      return {
        ...result,
        metrics,
        parentRelative,
        rootRelative: meanComparison(compared.map((each) => each.rootRelative)),
      };
    }
    const root = rootRepeats === undefined ? undefined : meanOf(rootRepeats);
    const metrics = paired ? levelOf(own, nodes, node) : meanOf(own);
    const against = (base: Metrics, before: Comparison): Comparison =>
      compare({ metrics, rows: before.candidateRows ?? 1 }, { metrics: base, rows: before.baselineRows ?? 1 }, score);
    const parentRelative = against(node, result.parentRelative);
    const rootRelative = root === undefined ? parentRelative : against(root, result.rootRelative);
    return { ...result, metrics, parentRelative, rootRelative };
  }
}

type Repeat = Pick<RepeatResult, "metrics" | "compared">;

function entryOf<Value>(map: Map<TreeId, Map<number, Value>>, id: TreeId): Map<number, Value> {
  const entry = map.get(id) ?? new Map<number, Value>();
  map.set(id, entry);
  return entry;
}

/** What something came to in each of its repeats. */
export type Repeats = ReadonlyMap<number, Metrics>;

/**
 * What something would come to in all repeats of its base, whose mean there is known, going by the repeats that both
 * have: where a repeat is the same for both, the mean over other repeats says nothing of which is better.
 */
function levelOf(own: Repeats, base: Repeats, baseMean: Metrics): Metrics {
  const both = [...own].filter(([repeat]) => base.has(repeat));
  if (both.length === 0) return meanOf(own);
  const mine = meanOf(new Map(both));
  const theirs = meanOf(new Map([...base].filter(([repeat]) => own.has(repeat))));
  const level = (name: string) => {
    const [after, before, mean] = [mine[name], theirs[name], baseMean[name]];
    return before === 0 ? mean + after : (mean / before) * after;
  };
  const names = Object.keys(mine).filter((name) => Object.hasOwn(theirs, name) && Object.hasOwn(baseMean, name));
  return Object.fromEntries(names.map((name) => [name, level(name)]));
}

/** Mean of each metric that all have. */
export function meanOf(repeats: Repeats): Metrics {
  const all = [...repeats.values()];
  const names = Object.keys(all[0] ?? {}).filter((name) => all.every((metrics) => Object.hasOwn(metrics, name)));
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((sum, metrics) => sum + metrics[name], 0) / all.length]),
  );
}

/** What a score command said of several repeats, as one. */
function meanComparison(all: readonly Comparison[]): Comparison {
  const mean = (of: (each: Comparison) => number | null) => {
    const numbers = all.flatMap((each) => of(each) ?? []);
    return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  };
  const score = mean((each) => each.score);
  return {
    ...all[0],
    score,
    primaryDelta: mean((each) => each.primaryDelta),
    shouldExplore: score !== null && score >= EXPLORE_SCORE,
    grade: gradeOf(score ?? 0),
  };
}
