import type {
  ConversationTurn,
  GivenConversation,
  IdeasResult,
  ReportedConversation,
  ReportedTurn,
  TreeId,
} from "../contract.ts";
import { branch } from "../search/idea-choice.ts";
import type { TreeShape } from "../settings.ts";
import { historyOf } from "./history.ts";

/** What of a node its conversation is made of. */
export interface Speaker {
  readonly nodeId: TreeId;
  readonly parentNodeId: TreeId | null;
  readonly listed: Pick<IdeasResult, "conversation"> | undefined;
}

/** What was said for one node; what was said before is its parent's. */
export interface Conversation {
  readonly conversationId: string;
  readonly nodeId: TreeId;
  readonly parentConversationId: string | null;
  /** The parent's last turn when this one began. */
  readonly forkedFromTurnId: string | null;
  readonly sessionId: string | null;
  readonly turns: readonly ConversationTurn[];
  readonly recovered: ReportedConversation["recovered"];
}

function conversationIdOf(nodeId: TreeId): string {
  return `c${nodeId}`;
}

/** The conversation of a node whose generator has been called; undefined for all others. */
export function conversationOf(node: Speaker, nodes: ReadonlyMap<TreeId, Speaker>): Conversation | undefined {
  const said = node.listed?.conversation;
  if (said == null) return undefined;
  const conversationId = conversationIdOf(node.nodeId);
  const parent = parentConversation(node, nodes);
  return {
    conversationId,
    nodeId: node.nodeId,
    parentConversationId: parent?.conversationId ?? null,
    forkedFromTurnId: latestTurnId(parent),
    sessionId: said.sessionId,
    turns: said.turns.map((turn, index) => ({ turnId: `${conversationId}.${index + 1}`, ...turn })),
    recovered: said.recovered,
  };
}

function parentConversation(node: Speaker, nodes: ReadonlyMap<TreeId, Speaker>): Conversation | undefined {
  const parent = node.parentNodeId === null ? undefined : nodes.get(node.parentNodeId);
  return parent === undefined ? undefined : conversationOf(parent, nodes);
}

/** Where a child's conversation would fork off. */
export function latestTurnId(conversation: Conversation | undefined): string | null {
  return conversation?.turns.at(-1)?.turnId ?? conversation?.forkedFromTurnId ?? null;
}

/** Everything that was said on the way to a node and for it, oldest first. */
export function branchTurns(node: Speaker, nodes: ReadonlyMap<TreeId, Speaker>): ConversationTurn[] {
  return branch(node, nodes)
    .reverse()
    .flatMap((owner) => conversationOf(owner, nodes)?.turns ?? []);
}

/** Adds turns in order; one whose operation is known takes the place it had. */
export function mergeTurns(before: readonly ReportedTurn[], added: readonly ReportedTurn[]): readonly ReportedTurn[] {
  const turns = new Map(before.map((turn) => [turn.operationId, turn]));
  for (const turn of added) turns.set(turn.operationId, turn);
  return [...turns.values()];
}

/** The conversation after a further call: its session is the newer one, also when that reported none. */
export function mergeReports(
  before: ReportedConversation | null,
  added: ReportedConversation | null,
): ReportedConversation | null {
  if (before === null || added === null) return added ?? before;
  return {
    sessionId: added.sessionId,
    turns: mergeTurns(before.turns, added.turns),
    recovered: added.recovered ?? before.recovered,
  };
}

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
