import type { KeptFile, Metrics, RootResult, TreeTask, TreeValue } from "../contract.ts";
import type { TreeShape } from "../settings.ts";
import { meanOf, RepeatedDepth, type Repeats } from "./repeated-depth.ts";
import type { Step } from "./stepwise.ts";
import { taskKey } from "./task-key.ts";
import type { TreeSearchOptions } from "./tree-search.ts";
import { type NodeState, ROOT_ID, treeNode } from "./tree-state.ts";

/** How often everything is measured whose metric has noise, where nobody said it. */
const NOISY_REPEATS = 5;
/** The repeat that shows whether there is noise: not the root's own, whose seed it would share. */
const NOISE_REPEAT = 1;

/** A column of the root, measured twice on the same code. */
export interface Noise {
  readonly column: string;
  readonly first: number;
  readonly again: number;
}

/** What shapes a depth, once it is known how often everything is measured. */
export type ShapeInUse = Omit<TreeShape, "sweepConfigLimit" | "dryRun" | "repeats"> & { readonly repeats: number };

/**
 * What the root came to: measured once, a second time where nobody said how often to measure, which shows whether the
 * metric has noise, and as often as everything else where measurements are repeated.
 */
export class RootMeasured {
  readonly #options: Pick<TreeSearchOptions, "score" | "paired" | "shapeAt">;
  #root: RootResult | undefined;
  #repeats: Repeats | undefined;
  /** Undefined where a second measurement was not asked for, or failed. */
  #again: Metrics | undefined;
  #isAgainAsked = false;

  constructor(options: Pick<TreeSearchOptions, "score" | "paired" | "shapeAt">) {
    this.#options = options;
  }

  tell(root: RootResult): RootResult {
    this.#root = root;
    return root;
  }

  get root(): RootResult | undefined {
    return this.#root;
  }

  get baseline(): KeptFile {
    if (this.#root === undefined) throw new Error("there is no root yet");
    return this.#root.baseline;
  }

  /** In the mean of its repeats where there are any. */
  get metrics(): Metrics | undefined {
    return this.#repeats === undefined ? this.#root?.metrics : meanOf(this.#repeats);
  }

  repeated(depth: RepeatedDepth): void {
    this.#repeats = depth.repeatsOf(ROOT_ID) ?? this.#once();
  }

  #once(): Repeats {
    return new Map(this.#root === undefined ? [] : [[0, this.#root.metrics]]);
  }

  /** The repeats of a depth; undefined when everything is measured once. */
  repeatsOf(depth: number): RepeatedDepth | undefined {
    const { score, paired } = this.#options;
    const shape = this.shapeOf(depth);
    if (shape.repeats === 1) return undefined;
    const rootRepeats = depth === 0 ? undefined : (this.#repeats ?? this.#once());
    const repeated = new RepeatedDepth({ depth, shape, score, paired, rootBaseline: this.baseline, rootRepeats });
    if (depth === 0 && this.#again !== undefined) repeated.know(ROOT_ID, NOISE_REPEAT, this.#again);
    return repeated;
  }

  shapeOf(depth: number): ShapeInUse {
    const { repeats, ...shape } = this.#options.shapeAt(depth);
    // Not looked for where the depths before were measured several times, as somebody had said.
    const isNoisy = this.#isAgainAsked ? this.noise() !== undefined : this.#repeats !== undefined;
    return { ...shape, repeats: repeats === "auto" ? (isNoisy ? NOISY_REPEATS : 1) : repeats };
  }

  /** Measures the root a second time, beside its ideas, where nobody said how often to measure. */
  againSteps(depth: number, root: NodeState | undefined): Step<TreeTask, TreeValue>[] {
    const known = this.#isAgainAsked || this.#repeats !== undefined;
    if (root === undefined || known || this.#options.shapeAt(depth).repeats !== "auto") return [];
    this.#isAgainAsked = true;
    const { baseline: rootBaseline } = this;
    const { commit } = root;
    const parent = treeNode(root);
    return [
      {
        key: taskKey.repeat(depth, ROOT_ID, null, NOISE_REPEAT),
        task: {
          kind: "repeat",
          evalId: null,
          ideaName: null,
          depth,
          parent,
          commit,
          repeat: NOISE_REPEAT,
          rootBaseline,
        },
        tell: (outcome) => {
          // What cannot be measured a second time is measured once.
          if (outcome.ok && outcome.value.kind === "repeat") this.#again = outcome.value.metrics;
        },
      },
    ];
  }

  /** The first column that counts in which the root came out different when it was measured again. */
  noise(): Noise | undefined {
    const { score } = this.#options;
    const [first, again] = [this.#root?.metrics, this.#again];
    if (score.kind === "command" || first === undefined || again === undefined) return undefined;
    const columns = [...score.metrics, ...(score.risk === null ? [] : [score.risk])].map(({ column }) => column);
    const column = columns.find((name) => first[name] !== again[name]);
    return column === undefined ? undefined : { column, first: first[column], again: again[column] };
  }
}
