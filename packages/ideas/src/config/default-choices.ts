import { LOCK_STALE_MS } from "@coppice/engine";
import type { TreeShape, TreeWork } from "../settings.ts";

export const defaultShape: TreeShape = {
  ideasPerNode: 7,
  beamWidth: 1,
  sweepConfigLimit: null,
  dedupeScope: "node_plus_ancestors",
  ideaConversationMode: "auto",
  ideaHistoryWindowTurns: 12,
  ideaHistoryMaxChars: 20_000,
  dryRun: false,
};

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
