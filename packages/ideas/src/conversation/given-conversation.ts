import type { GivenConversation, TreeId } from "../contract.ts";
import type { TreeShape } from "../settings.ts";
import {
  branchTurns,
  conversationIdOf,
  conversationOf,
  latestTurnId,
  parentConversation,
  type Speaker,
} from "./conversation.ts";
import { historyOf } from "./history.ts";

type MemoryShape = Pick<TreeShape, "ideaConversationMode" | "ideaHistoryWindowTurns" | "ideaHistoryMaxChars">;

/**
 * What the generator of a node is given to remember. Its first call forks off the parent's conversation where that
 * ended, so that it knows of all the parent's ideas and not only of the one that made its node.
 */
export function givenConversation(
  node: Speaker,
  nodes: ReadonlyMap<TreeId, Speaker>,
  shape: MemoryShape,
): GivenConversation {
  const { ideaConversationMode: mode, ideaHistoryWindowTurns: windowTurns, ideaHistoryMaxChars: maxChars } = shape;
  const own = conversationOf(node, nodes);
  const parent = parentConversation(node, nodes);
  const sessionId = mode === "replay" ? null : ((own ?? parent)?.sessionId ?? null);
  const history =
    mode === "native" ? { summary: "", turns: [] } : historyOf(branchTurns(node, nodes), { windowTurns, maxChars });
  return {
    conversationId: conversationIdOf(node.nodeId),
    mode,
    sessionId,
    mustFork: sessionId !== null && own === undefined,
    forkedFromTurnId: latestTurnId(parent),
    ...history,
  };
}
