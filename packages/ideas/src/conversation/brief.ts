import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GivenConversation, IdeasTask } from "../contract.ts";
import { layout } from "../run-layout.ts";
import { operationId } from "./heard.ts";

/** The files a generator is given to remember by, and the variables that say the same in short. */
export interface ConversationBrief {
  readonly conversationIn: string;
  readonly conversationOut: string;
  readonly conversationText: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What is asked for, in words. */
  readonly request: string;
}

/** Writes `{conversationIn}` and `{conversationText}` to a folder. Holds nothing but what the task says. */
export function writeBrief(folder: string, task: IdeasTask): ConversationBrief {
  const { conversation } = task;
  const request = requestText(task);
  const [conversationIn, conversationOut, conversationText] = ["in.json", "out.json", "text.md"].map((name) =>
    join(folder, `conversation-${name}`),
  );
  writeFileSync(conversationIn, `${JSON.stringify(stateOf(task, request), null, 2)}\n`);
  writeFileSync(conversationText, briefText(conversation, request));
  const environment = {
    COPPICE_TREE_CONVERSATION_ID: conversation.conversationId,
    COPPICE_TREE_SESSION_ID: conversation.sessionId ?? "",
    COPPICE_TREE_MUST_FORK: conversation.mustFork ? "1" : "",
  };
  return { conversationIn, conversationOut, conversationText, environment, request };
}

/** What a generator is asked for: the prompt of turns that name none. */
function requestText({ node, count }: IdeasTask): string {
  return `${count} ${count === 1 ? "idea" : "ideas"} for node ${node.nodeId} at depth ${node.depth}, commit ${node.commit}`;
}

function stateOf({ conversation, node, taken }: IdeasTask, request: string) {
  const { conversationId, mode, sessionId, mustFork, forkedFromTurnId, summary, turns } = conversation;
  return {
    conversation_id: conversationId,
    mode,
    session_id: sessionId,
    must_fork: mustFork,
    forked_from_turn_id: forkedFromTurnId,
    // A provider that is asked again after a crash can tell that it has answered this before.
    operation_id: operationId(hash("sha256", request, "hex"), `${layout.nodeIdeas(node.nodeId)}/${taken.length}`),
    request,
    summary,
    turns: turns.map(({ turnId, ideaPath, prompt, reply, clippedChars }) => ({
      turn_id: turnId,
      idea_path: ideaPath,
      prompt,
      reply,
      clipped_chars: clippedChars,
    })),
  };
}

function briefText({ conversationId, forkedFromTurnId, summary, turns }: GivenConversation, request: string): string {
  const from = forkedFromTurnId === null ? "" : `, which goes on from turn ${forkedFromTurnId}`;
  const said = turns.flatMap(({ turnId, prompt, reply }) => [`## Turn ${turnId}`, `Asked: ${prompt}`, reply]);
  const parts = [
    `# Conversation ${conversationId}${from}`,
    ...(summary === "" ? [] : ["## So far", summary]),
    ...said,
    "## Now",
    request,
  ];
  return `${parts.join("\n\n")}\n`;
}
