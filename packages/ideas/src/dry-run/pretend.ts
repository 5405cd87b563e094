import { hash } from "node:crypto";
import type {
  Cost,
  EvaluationResult,
  EvaluationTask,
  Idea,
  IdeasTask,
  KeptFile,
  TreeTask,
  TreeValue,
} from "../contract.ts";
import { ideaHash } from "../plan/idea-hash.ts";
import { layout } from "../run-layout.ts";
import type { TreeShape } from "../settings.ts";
import { comparisonOf, scenarioOf } from "./scenario.ts";

const nothing: Cost = { money: 0, tokens: 0 };
/** Rows of a pretended sweep without a limit. */
const ROWS = 5;

export interface PretendSettings {
  readonly shape: Pick<TreeShape, "sweepConfigLimit">;
}

/** What a task would come to, without touching anything: no git, no file, no network, no process. */
export function pretend({ shape }: PretendSettings, task: TreeTask): TreeValue {
  switch (task.kind) {
    case "root":
      return { kind: "root", baseline: file(layout.rootBaseline), metrics: {} };
    case "ideas":
      return { kind: "ideas", ideas: ideasOf(task), refused: [], conversation: null, cost: nothing };
    case "evaluation":
      return evaluationOf(shape.sweepConfigLimit, task);
    case "promotion":
      return {
        kind: "promotion",
        baseline: { path: layout.nodeBaseline(task.nodeId), sha256: task.results.sha256 },
      };
    case "prune":
      return { kind: "prune", deferred: [] };
    default:
      return task satisfies never;
  }
}

function ideasOf({ node, count }: IdeasTask): Idea[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `idea_${String(index + 1).padStart(3, "0")}.md`;
    const text = `Idea ${index + 1} of node ${node.nodeId}`;
    const path = `${layout.nodeIdeas(node.nodeId)}/${name}`;
    return { name, path, sha256: hash("sha256", text, "hex"), textHash: ideaHash(text) };
  });
}

function evaluationOf(limit: number | null, task: EvaluationTask): EvaluationResult {
  const scenario = scenarioOf(task.evalId);
  const rows = limit ?? ROWS;
  const comparison = comparisonOf(scenario, rows);
  return {
    kind: "evaluation",
    commit: hash("sha256", `${task.parent.commit} ${task.idea.path}`, "hex").slice(0, 40),
    results: file(layout.candidateResults(task.evalId)),
    metrics: {},
    completeness: {
      expected: limit,
      uniqueIds: rows,
      ok: rows - scenario.errorRows,
      errors: scenario.errorRows,
      complete: scenario.errorRows === 0,
    },
    parentRelative: comparison,
    rootRelative: comparison,
    rounds: [],
    steps: [],
    cost: nothing,
  };
}

function file(path: string): KeptFile {
  return { path, sha256: hash("sha256", path, "hex") };
}
