import { type Conversation, conversationOf, latestTurnId } from "../conversation/conversation.ts";
import {
  type ConversationSources,
  conversationFacts,
  conversationsOf,
  heardAt,
  type Recovery,
} from "../conversation/conversation-files.ts";
import { layout } from "../run-layout.ts";
import type { NodeState } from "../search/tree-state.ts";
import type { TreeSettings } from "../settings.ts";
import { isoTime } from "./json-text.ts";
import type { ManifestEvent } from "./manifest.ts";

type Nodes = ConversationSources["nodes"];

/** How generators remember in this run; mode `none` where there is no generator. */
export function conversationConfig({ config, shape }: TreeSettings) {
  return {
    mode: config.ideas.kind === "folder" || shape.dryRun ? "none" : shape.ideaConversationMode,
    history_window_turns: shape.ideaHistoryWindowTurns,
    history_max_chars: shape.ideaHistoryMaxChars,
    debug_log_jsonl_path: layout.conversationLogs,
  } as const;
}

export function conversationRecords(nodes: Nodes) {
  return Object.fromEntries(conversationsOf(nodes).map((each) => [each.conversationId, conversationRecord(each)]));
}

export function conversationRecord(conversation: Conversation) {
  const { conversationId, turns } = conversation;
  return {
    ...conversationFacts(conversation),
    turns: turns.map(({ turnId, operationId, ideaPath }) => ({
      turn_id: turnId,
      operation_id: operationId,
      idea_path: ideaPath,
    })),
    state_path: layout.conversation(conversationId),
    summary_path: layout.conversationSummary(conversationId),
    log_path: layout.conversationLog(conversationId),
  } as const;
}

/** A node's place in its conversation: where that began, and where it is. */
export function conversationOfNode(node: NodeState, nodes: Nodes) {
  const conversation = conversationOf(node, nodes);
  return {
    conversation_id: conversation?.conversationId ?? null,
    expansion_seed_turn_id: conversation?.forkedFromTurnId ?? null,
    latest_conversation_turn_id: latestTurnId(conversation),
  } as const;
}

/** The turn of each idea that came of one, by the idea's path. */
export function turnsByIdea(nodes: Nodes): ReadonlyMap<string, IdeaTurn> {
  const turns = new Map<string, IdeaTurn>();
  for (const { conversationId, turns: said } of conversationsOf(nodes)) {
    for (const { ideaPath, turnId } of said) if (ideaPath !== null) turns.set(ideaPath, { conversationId, turnId });
  }
  return turns;
}

export interface IdeaTurn {
  readonly conversationId: string;
  readonly turnId: string;
}

export const RECOVERY = "conversation_json_recovery";

/** What could not be read and was begun anew: replies of generators, and files of ours. */
export function recoveryEvents(
  { nodes, journal }: ConversationSources,
  recoveries: readonly Recovery[],
): ManifestEvent[] {
  const type = RECOVERY;
  const replies = conversationsOf(nodes).flatMap(({ conversationId, nodeId, recovered }) => {
    if (recovered === null) return [];
    const details = {
      conversation_id: conversationId,
      node_id: nodeId,
      reason: recovered,
      kept_in: layout.ideasLogs(nodeId),
    };
    return [{ ts: heardAt(journal, nodes.get(nodeId)) ?? "", type, details }];
  });
  const files = recoveries.map(({ at, conversationId, path }) => {
    const details = { conversation_id: conversationId, reason: "its file could not be read", kept_in: path };
    return { ts: isoTime(at) ?? "", type, details };
  });
  return [...replies, ...files];
}
