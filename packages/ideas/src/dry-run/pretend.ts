import { hash } from "node:crypto";
import type {
  Comparison,
  Cost,
  EvaluationResult,
  EvaluationTask,
  Grade,
  Idea,
  IdeasTask,
  KeptFile,
  RepeatResult,
  TreeTask,
  TreeValue,
} from "../contract.ts";
import { layout } from "../run-layout.ts";
import { ideaHash } from "../search/idea-choice.ts";
import type { TreeShape } from "../settings.ts";

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
    case "repeat":
      return {
        kind: "repeat",
        results: file(layout.repeatResults(task.evalId ?? `node_${task.parent.nodeId}`, task.repeat)),
        metrics: {},
        compared: task.evalId === null ? null : comparedAgain(shape.sweepConfigLimit, task.evalId),
        cost: nothing,
      };
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

/** A pretended measurement always comes out the same. */
function comparedAgain(limit: number | null, evalId: string): RepeatResult["compared"] {
  const comparison = comparisonOf(scenarioOf(evalId), limit ?? ROWS);
  return { parentRelative: comparison, rootRelative: comparison };
}

function file(path: string): KeptFile {
  return { path, sha256: hash("sha256", path, "hex") };
}

/** What a pretended evaluation comes to. */
interface Scenario {
  readonly shouldExplore: boolean;
  readonly grade: Grade;
  readonly primaryDelta: number;
  readonly score: number | null;
  /** Rows of the pretended sweep that failed. */
  readonly errorRows: number;
}

/** By the evaluation's number modulo seven: each way to pass or to fail the gate. */
const scenarios: readonly Scenario[] = [
  { shouldExplore: true, grade: "strong", primaryDelta: 0.02, score: 1, errorRows: 0 },
  { shouldExplore: false, grade: "mixed", primaryDelta: 0, score: 0.8, errorRows: 0 },
  { shouldExplore: false, grade: "weak", primaryDelta: 0.01, score: 0.4, errorRows: 0 },
  { shouldExplore: true, grade: "promising", primaryDelta: -0.0001, score: 0.9, errorRows: 0 },
  { shouldExplore: true, grade: "promising", primaryDelta: 0.01, score: null, errorRows: 0 },
  { shouldExplore: true, grade: "promising", primaryDelta: 0.01, score: 0.7, errorRows: 1 },
  { shouldExplore: true, grade: "promising", primaryDelta: 0.005, score: 0.6, errorRows: 0 },
];

function scenarioOf(evalId: string): Scenario {
  return scenarios[Number(evalId) % scenarios.length];
}

function comparisonOf(scenario: Scenario, rows: number): Comparison {
  const { shouldExplore, grade, primaryDelta, score } = scenario;
  return { shouldExplore, grade, score, primaryDelta, baselineRows: rows, candidateRows: rows, reasons: ["dry run"] };
}
