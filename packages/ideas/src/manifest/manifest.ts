import type { buildManifest, depthProgress, nodeRecord } from "./build-manifest.ts";
import type { conversationRecord } from "./conversation-record.ts";
import type { decisionRecord, evaluationRecord, taskRecord } from "./evaluation-record.ts";

/**
 * `manifest.json`, version 3: all of a run that people and scripts may want to read. Derived from the journal; each
 * record's fields are named where it is made.
 */
export type Manifest = ReturnType<typeof buildManifest>;

/** A task of a depth: `task_state` is queued, running, completed or failed. */
export type ManifestTask = ReturnType<typeof taskRecord>;

/** One idea's evaluation in the record of a tree. */
export type ManifestEvaluation = ReturnType<typeof evaluationRecord>;

/** What the barrier, or a stop, says of an evaluation. */
export type ManifestDecision = ReturnType<typeof decisionRecord>;

/** One node in the record of a tree. */
export type ManifestNode = ReturnType<typeof nodeRecord>;

/** A conversation without its texts, which are in its files. */
export type ManifestConversation = ReturnType<typeof conversationRecord>;

/** queued + running + completed + failed = total_tasks. */
export type DepthProgress = ReturnType<typeof depthProgress>;

/** Something that happened to a tree, and when. */
export interface ManifestEvent {
  readonly ts: string;
  readonly type: string;
  readonly details: Readonly<Record<string, unknown>>;
}
