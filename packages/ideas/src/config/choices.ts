import { LOCK_STALE_MS } from "@coppice/engine/records";
import type { TreeConfig, TreeShape, TreeWork } from "../settings.ts";

/** What shapes a tree unless its file or flags say otherwise. */
export const defaultShape: TreeShape = {
  ideasPerNode: 7,
  beamWidth: 1,
  sweepConfigLimit: null,
  dedupeScope: "node_plus_ancestors",
  repeats: "auto",
  maxRepeats: null,
  leastGain: null,
  ideaConversationMode: "auto",
  ideaHistoryWindowTurns: 12,
  ideaHistoryMaxChars: 20_000,
  dryRun: false,
};

/** How a tree is worked on unless its file or flags say otherwise. */
export const defaultWork: TreeWork = {
  maxDepth: 3,
  maxParallelEvals: 1,
  maxParallelPerNode: null,
  parallelBackend: "processes",
  evalRetries: 0,
  evalTimeoutMs: null,
  strictFailDepth: false,
  onStrictStop: "drain",
  promoteOnStop: true,
  maxTotalIdeaEvals: null,
  maxWallMs: null,
  maxMoney: null,
  maxTokens: null,
  keepRejectedWorktrees: false,
  keepFailedArtifacts: false,
  lockStaleMs: LOCK_STALE_MS,
  oneDepth: false,
};

const weighted = (column: string, weight: number) => ({ column, weight, better: "higher" as const });

/** What a dry run without a configuration pretends to measure: a trading strategy's sweep. */
export const pretendedScore: TreeConfig["score"] = {
  kind: "columns",
  primary: "core_topN_sharpe",
  metrics: [
    weighted("core_topN_sharpe", 1.5),
    weighted("mean_return_per_trade_oos", 1),
    weighted("mean_return_per_trade", 1),
    weighted("sortino", 1),
    weighted("calmar", 1),
    weighted("max_drawdown", 1),
  ],
  primaryTolerance: 0.05,
  risk: { column: "max_drawdown", worseBy: 0.1 },
};

/** What a user may say in `coppice.tree.yaml` and on the command line alike. */
export type TreeChoices = Partial<TreeShape> & Partial<TreeWork>;

/** Milliseconds inside are seconds wherever people write them. */
const inSeconds = (name: string) => name.replace(/Ms$/, "Seconds");

/** `evalTimeoutMs` as files have it: `eval_timeout_seconds`. */
function writtenName(name: string): string {
  return inSeconds(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `evalTimeoutMs` as it is typed: `--eval-timeout-seconds`. */
export function flagOf(name: string): string {
  return `--${writtenName(name).replaceAll("_", "-")}`;
}

/** The choices among checked values from a file (`eval_timeout_seconds`) or from flags (`evalTimeoutSeconds`). */
export function choicesIn(given: Readonly<Record<string, unknown>>, from: "file" | "flags"): TreeChoices {
  const spelling = from === "file" ? writtenName : inSeconds;
  const chosen = Object.keys({ ...defaultShape, ...defaultWork }).flatMap((name) => {
    const value = given[spelling(name)];
    if (value === undefined) return [];
    return [[name, name.endsWith("Ms") && typeof value === "number" ? value * 1000 : value]];
  });
  // Cast: whoever read the values has checked them. What is absent is left out, for defaults to fill in.
  return Object.fromEntries(chosen) as TreeChoices;
}

/** Choices as files have them. */
export function writtenChoices(choices: TreeChoices): Readonly<Record<string, unknown>> {
  const written = Object.entries(choices).map(([name, value]) => [
    writtenName(name),
    name.endsWith("Ms") && typeof value === "number" ? value / 1000 : value,
  ]);
  return Object.fromEntries(written);
}
