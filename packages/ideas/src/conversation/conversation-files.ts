import type { TreeId } from "../contract.ts";
import { jsonText } from "../manifest/json-text.ts";
import { isoTime } from "../manifest/time.ts";
import { compareIds } from "../plan/tree-id.ts";
import type { TreeJournal } from "../run/tree-journal.ts";
import { layout } from "../run-layout.ts";
import { taskKey } from "../search/task-key.ts";
import type { NodeState } from "../search/tree-state.ts";
import { branchTurns, type Conversation, conversationOf, latestTurnId } from "./conversation.ts";
import { summaryOf } from "./history.ts";

/** What the files are made of: the nodes as far as the search was told, and when that was. */
export interface ConversationSources {
  readonly nodes: ReadonlyMap<TreeId, NodeState>;
  readonly journal: Pick<TreeJournal, "tasks">;
}

/** Room for the lines of a branch's turns in `<id>_summary.md`. */
const SUMMARY_CHARS = 64 * 1024;

/** Conversations of all nodes that have one, in the order of their nodes. */
export function conversationsOf(nodes: ConversationSources["nodes"]): Conversation[] {
  return [...nodes.values()]
    .toSorted((a, b) => compareIds(a.nodeId, b.nodeId))
    .flatMap((node) => conversationOf(node, nodes) ?? []);
}

/** The files of a conversation by their paths in the run: functions of the journal and of nothing else. */
export function conversationFiles(
  { nodes, journal }: ConversationSources,
  conversation: Conversation,
): Readonly<Record<string, string>> {
  const { conversationId, nodeId } = conversation;
  const node = nodes.get(nodeId);
  const summary = node === undefined ? "" : summaryOf(branchTurns(node, nodes), SUMMARY_CHARS);
  return {
    [layout.conversation(conversationId)]: `${jsonText(stateOf(conversation))}\n`,
    [layout.conversationSummary(conversationId)]: `${titleOf(conversation)}\n\n${summary}\n`,
    [layout.conversationLog(conversationId)]: turnLog(conversation, heardAt(journal, node)),
  };
}

/** When a node's generator was heard last. */
export function heardAt(
  { tasks }: ConversationSources["journal"],
  node: Pick<NodeState, "depth" | "nodeId"> | undefined,
): string | null {
  if (node === undefined) return null;
  const call = (number: number) => tasks.get(taskKey.ideas(node.depth, node.nodeId, number));
  let last = 0;
  while (call(last + 1)?.finishedAt != null) last++;
  return isoTime(call(last)?.finishedAt);
}

function titleOf({ conversationId, nodeId, forkedFromTurnId }: Conversation): string {
  const from = forkedFromTurnId === null ? "it begins here" : `it goes on from turn ${forkedFromTurnId}`;
  return `# Conversation ${conversationId}\n\nThe generator's turns for node ${nodeId}; ${from}.`;
}

/** A conversation but for its turns, as files and the manifest name its parts. */
export function conversationFacts(conversation: Conversation) {
  const { conversationId, nodeId, parentConversationId, forkedFromTurnId, sessionId } = conversation;
  return {
    conversation_id: conversationId,
    node_id: nodeId,
    parent_conversation_id: parentConversationId,
    forked_from_turn_id: forkedFromTurnId,
    latest_turn_id: latestTurnId(conversation),
    session_id: sessionId,
  };
}

function stateOf(conversation: Conversation) {
  const { recovered } = conversation;
  return { conversation_version: 1, ...conversationFacts(conversation), recovered, turns: turnRecords(conversation) };
}

function turnLog(conversation: Conversation, ts: string | null): string {
  const { conversationId: conversation_id, nodeId: node_id } = conversation;
  const lines = turnRecords(conversation).map((turn) => JSON.stringify({ ts, conversation_id, node_id, ...turn }));
  return lines.map((line) => `${line}\n`).join("");
}

function turnRecords({ turns }: Conversation) {
  return turns.map(({ turnId, operationId, promptHash, prompt, reply, ideaPath, clippedChars }) => ({
    turn_id: turnId,
    operation_id: operationId,
    prompt_hash: promptHash,
    idea_path: ideaPath,
    prompt,
    reply,
    clipped_chars: clippedChars,
  }));
}
