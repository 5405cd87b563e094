import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import type { ReportedConversation, TreeId } from "../contract.ts";
import { isoTime, jsonText } from "../manifest/json-text.ts";
import type { TreeJournal } from "../run/tree-journal.ts";
import { layout } from "../run-layout.ts";
import { taskKey } from "../search/task-key.ts";
import { compareIds, type NodeState } from "../search/tree-state.ts";
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

/** Writes conversations as they become known. The only one who does: workers are given theirs with the task. */
export class ConversationWriter {
  readonly #runRoot: string;
  readonly #written = new Map<string, ReportedConversation>();

  constructor(runRoot: string) {
    this.#runRoot = runRoot;
  }

  /** Brings the files up to date, each whole or not at all; one that is unreadable is put aside. */
  write(sources: ConversationSources): void {
    for (const conversation of conversationsOf(sources.nodes)) {
      const { conversationId, nodeId } = conversation;
      const said = sources.nodes.get(nodeId)?.listed?.conversation;
      if (said == null || this.#written.get(conversationId) === said) continue;
      recover(this.#runRoot, conversationId);
      for (const [path, text] of Object.entries(conversationFiles(sources, conversation))) {
        replace(join(this.#runRoot, path), text);
      }
      this.#written.set(conversationId, said);
    }
  }
}

function replace(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeDurably(path, text);
}

/** A conversation's file that could not be read and was put aside. */
export interface Recovery {
  /** When that was found, in milliseconds since the epoch. */
  readonly at: number;
  readonly conversationId: string;
  /** Where it is now. */
  readonly path: string;
}

/** Puts a conversation's file aside if it is not one: cut off, edited by hand, another's. */
function recover(runRoot: string, conversationId: string): void {
  const path = join(runRoot, layout.conversation(conversationId));
  if (!existsSync(path) || isConversation(path, conversationId)) return;
  const aside = freeCorruptName(path);
  renameSync(path, aside);
  const now = new Date();
  // Its time is when it was found, which is what reports tell.
  utimesSync(aside, now, now);
}

/** Every one so far: the files themselves are the record. */
export function recoveriesOf(runRoot: string): Recovery[] {
  const folder = join(runRoot, layout.conversations);
  const names = existsSync(folder) ? readdirSync(folder).filter(isCorruptName).sort() : [];
  return names.map((name) => recoveryOf(runRoot, name));
}

function recoveryOf(runRoot: string, name: string): Recovery {
  const path = `${layout.conversations}/${name}`;
  const at = Math.floor(statSync(join(runRoot, path)).mtimeMs);
  return { at, conversationId: name.slice(0, name.indexOf(".")), path };
}

function isConversation(path: string, conversationId: string): boolean {
  try {
    const found = JSON.parse(readFileSync(path, "utf8")) as { readonly conversation_id?: unknown } | null;
    return found?.conversation_id === conversationId;
  } catch {
    return false;
  }
}

/** Where a file that cannot be read is put: `<path>.corrupt_<n>`, the first that is free. No clock names it. */
export function freeCorruptName(path: string): string {
  let copy = 1;
  while (existsSync(`${path}.corrupt_${copy}`)) copy++;
  return `${path}.corrupt_${copy}`;
}

/** Whether a file was put aside by such a name. */
function isCorruptName(name: string): boolean {
  return /\.corrupt_\d+$/.test(name);
}
