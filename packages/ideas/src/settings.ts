import { readFileSync } from "node:fs";
import { join } from "node:path";
import { layout } from "./run-layout.ts";
import type { AnswerMap } from "./steps/agent-answer.ts";

/**
 * The content of `tree.json`: what the run is doing now, and what makes the same search again. Written by the coordinator
 * before workers start.
 */
export interface TreeSettings {
  readonly treeRunId: string;
  readonly rootCommit: string;
  readonly config: TreeConfig;
  readonly shape: TreeShape;
  readonly work: TreeWork;
  /** What shapes the tree from a depth on; the first is what the run was started with. */
  readonly shapes: readonly { readonly fromDepth: number; readonly shape: TreeShape }[];
  /** What is done once more in a depth before it is judged, in the order it was asked for. */
  readonly again: readonly { readonly depth: number; readonly what: Again }[];
  /** Depths this session may complete; null for no limit. */
  readonly stopAfterDepths: number | null;
  readonly changes: readonly SettingsChange[];
  /** The configuration file that was read last; absent for a run without one, or of an earlier version. */
  readonly configFile?: ReadConfiguration;
}

/** A configuration file as it was when it was read. */
export interface ReadConfiguration {
  readonly path: string;
  readonly sha256: string;
  /** What it said in its section `search`. */
  readonly choices: Readonly<Record<string, unknown>>;
}

/** Evaluates the ideas of a depth again, or asks for more ideas and evaluates them too. */
export type Again = "evaluations" | "ideas";

/** A change that was made when the run was resumed. */
export interface SettingsChange {
  readonly at: number;
  readonly what: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Changes the tree itself from this depth on; null for one that does not. */
  readonly fromDepth: number | null;
}

/** `coppice.tree.yaml` after the edge: paths absolute, defaults filled in. */
export interface TreeConfig {
  /** Top directory of the git repository. */
  readonly repository: string;
  /** Results of the root; null to measure them with the sweep. */
  readonly baseline: string | null;
  readonly ideas: IdeaSource;
  /** Git-ignored files and folders of the repository that every worktree is given a link to; relative to its top. */
  readonly link: readonly string[];
  /** What the set-up of a node's worktree makes and its candidates are given a link to, instead of a set-up each. */
  readonly share: readonly string[];
  readonly steps: PipelineSteps;
  readonly review: ReviewPolicy;
  readonly results: ResultsFormat;
  readonly score: ScoreConfig;
}

/**
 * Where ideas come from: a folder of markdown files, whose path may hold `{node}` and `{depth}`, or a command that
 * writes them to `{ideas}`, given `{count}` and `{context}`.
 */
export type IdeaSource =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "command"; readonly step: StepConfig };

/** The commands that an idea passes; without a set-up, a review or a test, null. */
export interface PipelineSteps {
  readonly setup: StepConfig | null;
  readonly implement: StepConfig;
  readonly review: StepConfig | null;
  readonly test: StepConfig | null;
  readonly sweep: StepConfig;
}

/** A text is run by the shell, placeholders quoted for it; a list is run as it is, a placeholder being one argument. */
export interface StepConfig {
  readonly command: string | readonly string[];
  /** Limit of this step alone; null for none. */
  readonly timeoutMs: number | null;
  readonly environment: Readonly<Record<string, string>>;
  /** Where in what it prints its reply, session and price are; absent for a step whose output is taken as it is. */
  readonly answer?: AnswerMap;
}

/** How often an implementation may be sent back, and what then. */
export interface ReviewPolicy {
  /** Rounds after the first: 0 is one implementation and one review. */
  readonly maxRounds: number;
  readonly proceedOnMaxRounds: boolean;
}

/** How the sweep's results are read. */
export interface ResultsFormat {
  /** `csv`: the sweep writes `{results}`. `json`: it prints (or writes) one object of numbers, taken as one row. */
  readonly format: "csv" | "json";
  readonly idColumn: string;
  /** Rows whose cell here is not empty are errors. */
  readonly errorColumn: string | null;
}

/** How two results are compared: by columns, or by a command. */
export type ScoreConfig =
  | {
      readonly kind: "columns";
      readonly metrics: readonly ScoreMetric[];
      readonly primary: string;
      /** Primary may be worse by this share before exploring is advised against. */
      readonly primaryTolerance: number;
      /** The same for the gate, where it was configured: otherwise no loss passes. */
      readonly gateTolerance?: number;
      readonly risk: { readonly column: string; readonly worseBy: number } | null;
    }
  /** Prints one `Comparison` as JSON, given `{baseline}` and `{results}`; run once for the parent and once for the root. */
  | { readonly kind: "command"; readonly step: StepConfig };

/** A column that counts for the score, and which way is better. */
export interface ScoreMetric {
  readonly column: string;
  readonly weight: number;
  readonly better: "higher" | "lower";
}

/** What shapes the tree; changed on resume only with force, and then from the next depth on. */
export interface TreeShape {
  readonly ideasPerNode: number;
  readonly beamWidth: number;
  /** Configurations a sweep must measure; null for no limit. */
  readonly sweepConfigLimit: number | null;
  readonly dedupeScope: DedupeScope;
  /**
   * How often every candidate, and what it is compared with, is measured; 1 for metrics without noise. `auto` measures the
   * root twice: once is enough where it comes out the same.
   */
  readonly repeats: number | "auto";
  /** How often at most, where the first repeats do not tell; null for four times as often. */
  readonly maxRepeats: number | null;
  /** A smaller gain in score is not promoted; null for the rule of the grades alone. */
  readonly leastGain: number | null;
  readonly ideaConversationMode: ConversationMode;
  /** Turns of history a generator is given; -1 for all, 0 for none. */
  readonly ideaHistoryWindowTurns: number;
  /** Characters of history, summary included; -1 for no limit, 0 for none. */
  readonly ideaHistoryMaxChars: number;
  readonly dryRun: boolean;
}

/** How a generator remembers: its provider's session (`native`), turns given to it again (`replay`), or whichever it can. */
export type ConversationMode = (typeof conversationModes)[number];
/** How an idea generator remembers: as it is best, by its provider's session, or by hearing it again. */
export const conversationModes = ["auto", "native", "replay"] as const;

/** Against which ideas a new one must be new: those of ancestors, those accepted on the branch, of all nodes, of none. */
export type DedupeScope = (typeof dedupeScopes)[number];
/** Among which ideas a new one must not be a repetition. */
export const dedupeScopes = ["node_plus_ancestors", "accepted", "global", "none"] as const;

/** How it is worked on; a resumed run takes the new values. */
export interface TreeWork {
  readonly maxDepth: number;
  readonly maxParallelEvals: number;
  readonly maxParallelPerNode: number | null;
  /** The kind of pool evaluations run on. */
  readonly parallelBackend: string;
  readonly evalRetries: number;
  readonly evalTimeoutMs: number | null;
  readonly strictFailDepth: boolean;
  /** What becomes of running evaluations at a strict stop. */
  readonly onStrictStop: "drain" | "cancel";
  /** Whether a spent budget or a strict stop reports its best so far as provisional nodes. */
  readonly promoteOnStop: boolean;
  readonly maxTotalIdeaEvals: number | null;
  readonly maxWallMs: number | null;
  readonly maxMoney: number | null;
  readonly maxTokens: number | null;
  readonly keepRejectedWorktrees: boolean;
  readonly keepFailedArtifacts: boolean;
  /** How long the lock of a run on another machine holds without a heartbeat. */
  readonly lockStaleMs: number;
  readonly oneDepth: boolean;
}

/** What the run is doing now, as the coordinator wrote it before workers were started. */
export function settingsOnDisk(runRoot: string): TreeSettings {
  // Cast: written by the coordinator of the same run.
  return JSON.parse(readFileSync(join(runRoot, layout.settings), "utf8")) as TreeSettings;
}
