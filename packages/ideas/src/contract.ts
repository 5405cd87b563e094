import type { Outcome } from "@coppice/engine";
import type { ConversationMode } from "./settings.ts";

/**
 * The tasks of an idea tree. Everything that has an effect (git, files, child processes) is one of these, evaluated by
 * a worker and journaled by the engine; the search between them is pure, so that resuming is replaying.
 *
 * A task may be started again after a crash, a timeout or a retry: each must be idempotent, clearing what an earlier
 * attempt of its own left before it begins. Paths are relative to the run's root and use `/`, so that two runs of the
 * same tree give the same outcomes; a value holds no time, pid, run id or machine path.
 */
export type TreeTask = RootTask | IdeasTask | EvaluationTask | RepeatTask | PromotionTask | PruneTask;

export type TreeValue = RootResult | IdeasResult | EvaluationResult | RepeatResult | PromotionResult | PruneResult;

/** What the search is told of a task. */
export type TreeOutcome = Outcome<TreeValue>;

/** Node and evaluation ids: at least four digits, counted from 1; the root is `0000`. They compare as numbers. */
export type TreeId = string;

/** A file that was copied into the run and must not change any more. */
export interface KeptFile {
  readonly path: string;
  readonly sha256: string;
}

/** An immutable code state and its results, the baseline of its children. */
export interface TreeNode {
  readonly nodeId: TreeId;
  readonly depth: number;
  readonly commit: string;
  readonly baseline: KeptFile;
}

/** Makes node 0000: its ref, its worktree, and its baseline, copied (`config.baseline`) or measured by the sweep. */
export interface RootTask {
  readonly kind: "root";
  readonly commit: string;
}

/** What is known of the code before any idea. */
export interface RootResult {
  readonly kind: "root";
  readonly baseline: KeptFile;
  /** Mean of each numeric column of the baseline. */
  readonly metrics: Metrics;
}

/** Measured numbers by the name of their column. */
export type Metrics = Readonly<Record<string, number>>;

/** Lists the ideas of a node; a generator is run when there are fewer than `count`. */
export interface IdeasTask {
  readonly kind: "ideas";
  readonly node: TreeNode;
  readonly count: number;
  /** Names of ideas the node has already, when it is asked for others; they stay. */
  readonly taken: readonly string[];
  /** What the generator may know: metrics, the branch's accepted ideas and what was tried on it and not selected. */
  readonly context: BranchContext;
  /** What it may remember of its earlier calls on this branch. */
  readonly conversation: GivenConversation;
}

/** A node's conversation as its generator is given it; a function of what earlier calls returned, and of the shape. */
export interface GivenConversation {
  readonly conversationId: string;
  readonly mode: ConversationMode;
  /** The provider's session that the last call on this branch reported; null when there is none, or for `replay`. */
  readonly sessionId: string | null;
  /** The session is the parent's, and brothers and sisters go on from it too: it must be forked, not continued. */
  readonly mustFork: boolean;
  /** The parent's turn after which this conversation begins; null for the root. */
  readonly forkedFromTurnId: string | null;
  /** Every turn so far in a line each, newest kept; empty when history is off. */
  readonly summary: string;
  /** The last turns, oldest first. */
  readonly turns: readonly ConversationTurn[];
}

/** One question and its answer. Texts are clipped where they are first read. */
export interface ConversationTurn extends ReportedTurn {
  /** `c0001.3`: the third turn of node 0001's conversation. */
  readonly turnId: string;
}

export interface ReportedTurn {
  /** SHA-256 of `<prompt hash>|<output path>`: the same turn, made again, takes its own place. */
  readonly operationId: string;
  /** SHA-256 of the whole prompt. */
  readonly promptHash: string;
  readonly prompt: string;
  readonly reply: string;
  /** The idea that came of it; null for a turn without one. */
  readonly ideaPath: string | null;
  /** Characters of prompt and reply that were left out. */
  readonly clippedChars: number;
}

/** What a generator's call said of its conversation. */
export interface ReportedConversation {
  readonly sessionId: string | null;
  readonly turns: readonly ReportedTurn[];
  /** Why what it left could not be read; the turns are then made of its ideas alone. */
  readonly recovered: string | null;
}

export interface BranchContext {
  readonly rootMetrics: Metrics;
  /** Accepted ideas, root first. */
  readonly chain: readonly AcceptedIdea[];
  /** Evaluated on a node of this branch, not promoted. */
  readonly tried: readonly TriedIdea[];
}

export interface AcceptedIdea {
  readonly nodeId: TreeId;
  readonly evalId: TreeId;
  readonly idea: KeptFile;
  readonly rootScore: number | null;
  readonly primaryDelta: number | null;
}

export interface TriedIdea {
  readonly parentNodeId: TreeId;
  readonly evalId: TreeId;
  readonly idea: KeptFile;
  /** Why it was not promoted: a gate reason, `outranked`, `not_judged_yet`, or the failure's type. */
  readonly reason: string;
  readonly parentScore: number | null;
}

export interface IdeasResult {
  readonly kind: "ideas";
  /** Usable ideas, copied to `node_ideas/<node>/`, sorted by lower-case name; the search takes the first `count`. */
  readonly ideas: readonly Idea[];
  /** Files that were there but cannot be used: empty, binary, too large, hostile name. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** Null for ideas that nobody was asked for: a folder's, or a dry run's. */
  readonly conversation: ReportedConversation | null;
  readonly cost: Cost;
}

export interface Idea extends KeptFile {
  readonly name: string;
  /** `ideaHash` of the text: equal for two texts that say the same. */
  readonly textHash: string;
}

/** What steps said they spent; zero when they said nothing. */
export interface Cost {
  readonly money: number;
  readonly tokens: number;
}

/** The same by step; steps that spent nothing are absent. */
export type StepCosts = Readonly<Partial<Record<StepName | "ideas", Cost>>>;

/** Applies one idea to one node: implement, review, test, sweep, score. */
export interface EvaluationTask {
  readonly kind: "evaluation";
  readonly evalId: TreeId;
  /** Depth of the parent: evaluations at depth 0 make nodes at depth 1. */
  readonly depth: number;
  readonly parent: TreeNode;
  readonly idea: Idea;
  readonly rootBaseline: KeptFile;
}

/**
 * A finished evaluation, passed or not. The commit's author, dates and message are functions of parent and idea, so
 * that a serial and a parallel run of the same steps give the same commit. What could not
 * be finished is thrown as an error (see `StepFailed`).
 */
export interface EvaluationResult {
  readonly kind: "evaluation";
  readonly commit: string;
  /** `artifacts/candidate_eval_<id>.csv`. */
  readonly results: KeptFile;
  readonly metrics: Metrics;
  readonly completeness: Completeness;
  readonly parentRelative: Comparison;
  readonly rootRelative: Comparison;
  readonly rounds: readonly ReviewRound[];
  readonly steps: readonly StepEnd[];
  readonly cost: Cost;
  /** Absent when nothing was spent. */
  readonly costs?: StepCosts;
}

/** Measures once more what an evaluation has made, or the node that its candidates are compared with. */
export interface RepeatTask {
  readonly kind: "repeat";
  /** Null for the node itself. */
  readonly evalId: TreeId | null;
  /** File name of the evaluation's idea, for people; null for the node itself. */
  readonly ideaName: string | null;
  readonly depth: number;
  readonly parent: TreeNode;
  readonly commit: string;
  /** From 0 for the node; from 1 for an evaluation, whose own sweep is its first. */
  readonly repeat: number;
  readonly rootBaseline: KeptFile;
}

export interface RepeatResult {
  readonly kind: "repeat";
  readonly results: KeptFile;
  readonly metrics: Metrics;
  /** What the score command says of this repeat; null where columns are compared, which the search does itself. */
  readonly compared: { readonly parentRelative: Comparison; readonly rootRelative: Comparison } | null;
  readonly cost: Cost;
  readonly costs?: StepCosts;
}

/** Rows of a sweep against the configured limit; `expected` is null without one. */
export interface Completeness {
  readonly expected: number | null;
  readonly uniqueIds: number;
  readonly ok: number;
  readonly errors: number;
  readonly complete: boolean;
}

/** Candidate against a baseline. Numbers are finite, or null when they cannot be had. */
export interface Comparison {
  readonly shouldExplore: boolean;
  readonly grade: Grade;
  readonly score: number | null;
  readonly primaryDelta: number | null;
  readonly baselineRows: number | null;
  readonly candidateRows: number | null;
  readonly reasons: readonly string[];
  /** Whether the primary metric is worse than the configured tolerance allows; absent without one: then any loss is. */
  readonly primaryRegressed?: boolean;
}

export type Grade = "strong" | "promising" | "mixed" | "weak";

export interface ReviewRound {
  readonly round: number;
  readonly verdict: "approve" | "reject" | "unknown" | "empty-diff" | "no-review";
  readonly issues: readonly string[];
}

/** How a step ended. How long it took is written to `eval/<id>/steps.ndjson`: times are not part of an outcome. */
export interface StepEnd {
  readonly step: StepName;
  readonly round: number;
  readonly exitCode: number;
}

export type StepName = "setup" | "implement" | "review" | "test" | "sweep" | "score";

/** Makes a node of an evaluation: ref `n<id>` at the commit, fresh worktree, copy of the results as its baseline. */
export interface PromotionTask {
  readonly kind: "promotion";
  readonly nodeId: TreeId;
  /** Depth of the new node. */
  readonly depth: number;
  readonly parentNodeId: TreeId;
  readonly evalId: TreeId;
  readonly commit: string;
  readonly results: KeptFile;
}

export interface PromotionResult {
  readonly kind: "promotion";
  /** `artifacts/baseline_node_<id>.csv`. */
  readonly baseline: KeptFile;
}

/** After a depth's barrier: candidate worktrees and refs that are not wanted any more. */
export interface PruneTask {
  readonly kind: "prune";
  readonly depth: number;
  readonly evaluations: readonly { readonly evalId: TreeId; readonly state: "completed" | "failed" }[];
}

export interface PruneResult {
  readonly kind: "prune";
  /** What could not be removed now; it is tried again at the next start. */
  readonly deferred: readonly string[];
}

/** What an evaluation throws besides a name and a message, which are told to the search: for journal and manifest. */
export interface FailureData {
  readonly step: StepName | "ideas" | "worktree" | "commit" | "results";
  readonly round: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly logTail: readonly string[];
  /** The last lines of standard error alone. */
  readonly errorTail?: readonly string[];
  readonly cost: Cost;
  readonly costs?: StepCosts;
  /** What reviewers said of a change that was rejected. */
  readonly rounds?: readonly ReviewRound[];
  /** The kernel ended processes while the step ran, because there was no memory left. */
  readonly outOfMemory?: boolean;
}

/** What every worker is given; everything else is read from `tree.json` below the root in `setup`. */
export interface TreeContext {
  /** Absolute path of the run's directory. */
  readonly runRoot: string;
}
