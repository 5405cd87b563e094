import { readFileSync } from "node:fs";
import { type Answer, ownAnswer } from "../merge/answer.ts";
import { type Fields, isPrompt, parseLine } from "./transcript.ts";

/** The agents one assistant message started. */
interface AgentMessage {
  readonly id: string;
  readonly agents: number;
  /** One of them says that it needs the result of an earlier one. */
  readonly dependent: boolean;
  /** Nothing more can be added: the message says how it stopped, or others follow it. */
  readonly complete: boolean;
}

const AGENT_TOOLS = new Set(["Task", "Agent"]);

/** In an agent's prompt or description: this one cannot start together with the one before. */
const DEPENDENCY_MARK = /\[depends on [^\]]+\]/i;

/** Two messages in a row with a single agent each are the habit that is warned of. */
const HABIT = 2;

/**
 * Answers a call that starts an agent (H-22): a remark when the last complete messages started one agent each, a
 * block only if configured and only when the call's own message is known to be complete, because the first call of
 * a batch looks like a single one until its siblings are written down.
 */
export function sequentialAgentAnswer(input: Fields, mode: "warn" | "block"): Answer | undefined {
  if (!AGENT_TOOLS.has(String(input.tool_name)) || typeof input.transcript_path !== "string") return undefined;
  let transcript: string;
  try {
    transcript = readFileSync(input.transcript_path, "utf8");
  } catch {
    return undefined;
  }
  const callId = typeof input.tool_use_id === "string" ? input.tool_use_id : undefined;
  if (dependencyMarked(input.tool_input)) return undefined;
  const messages = agentMessages(transcript, callId);
  const current = messages.find((message) => message.own);
  const complete = messages.filter((message) => message.complete);
  if (streak(complete) < HABIT) return undefined;
  const text =
    "Agents were started one at a time in message after message. Start agents that do not need each other's results " +
    'together, in one message; mark one that does with "[depends on <what>]" in its description.';
  if (mode === "block" && current?.complete === true) return ownAnswer("sequential agents", { block: text });
  return ownAnswer("sequential agents", {
    json: { systemMessage: text, hookSpecificOutput: { additionalContext: text } },
  });
}

/** How many of the last messages started a single, independent agent. */
function streak(messages: readonly AgentMessage[]): number {
  let count = 0;
  for (const message of messages.toReversed()) {
    if (message.agents !== 1 || message.dependent) break;
    count++;
  }
  return count;
}

/** The messages since the last prompt that started agents, in order; lines that cannot be read are passed over. */
function agentMessages(
  transcript: string,
  callId: string | undefined,
): readonly (AgentMessage & { readonly own: boolean })[] {
  interface Open {
    id: string;
    agents: number;
    dependent: boolean;
    complete: boolean;
    own: boolean;
  }
  let messages: Open[] = [];
  const byId = new Map<string, Open>();
  for (const line of transcript.split("\n")) {
    const entry = parseLine(line);
    if (entry === undefined || entry.isSidechain === true) continue;
    const message = entry.message as Fields | undefined;
    if (entry.type === "user" && isPrompt(message)) {
      messages = [];
      byId.clear();
    }
    if (entry.type !== "assistant" || typeof message?.id !== "string") continue;
    // Whatever comes after a message closes it.
    for (const earlier of messages) if (earlier.id !== message.id) earlier.complete = true;
    const calls = agentCalls(message.content);
    let open = byId.get(message.id);
    if (open === undefined && calls.length > 0) {
      open = { id: message.id, agents: 0, dependent: false, complete: false, own: false };
      byId.set(message.id, open);
      messages.push(open);
    }
    if (open === undefined) continue;
    open.agents += calls.length;
    open.dependent ||= calls.some((call) => dependencyMarked(call.input));
    open.own ||= calls.some((call) => call.id === callId);
    if (typeof message.stop_reason === "string") open.complete = true;
  }
  return messages;
}

function agentCalls(content: unknown): readonly Fields[] {
  if (!Array.isArray(content)) return [];
  return content.filter((block: Fields) => block?.type === "tool_use" && AGENT_TOOLS.has(String(block.name)));
}

function dependencyMarked(input: unknown): boolean {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Fields;
  return [fields.description, fields.prompt].some((text) => typeof text === "string" && DEPENDENCY_MARK.test(text));
}
