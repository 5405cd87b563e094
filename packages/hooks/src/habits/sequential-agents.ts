import { type Fields, fieldsOf } from "../json-fields.ts";
import { type Answer, ownAnswer } from "../merge/answer.ts";
import { readTranscript } from "./transcript.ts";

/** The agents one message started. */
interface AgentMessage {
  readonly id: string;
  agents: number;
  /** One of them says that it needs the result of an earlier one. */
  dependent: boolean;
  /** Nothing more can be added: the message says how it stopped, or others follow it. */
  complete: boolean;
  /** It holds the call that is asked about. */
  own: boolean;
}

export const AGENT_TOOLS: ReadonlySet<string> = new Set(["Task", "Agent"]);

/** In an agent's prompt or description: this one cannot start together with the one before. */
const DEPENDENCY_MARK = /\[depends on [^\]]+\]/i;

/** Two messages in a row with a single agent each are the habit that is warned of. */
const HABIT = 2;

const ADVICE =
  "Agents were started one at a time in message after message. Start agents that do not need each other's results " +
  'together, in one message; mark one that does with "[depends on <what>]" in its description.';

/**
 * Answers a call that starts an agent (H-22): a remark when the last complete messages started one agent each, a
 * block only if configured and only when the call's own message is known to be complete, because the first call of
 * a batch looks like a single one until its siblings are written down.
 */
export function sequentialAgentAnswer(input: Fields, mode: "warn" | "block"): Answer | undefined {
  if (!AGENT_TOOLS.has(String(input.tool_name)) || dependencyMarked(input.tool_input)) return undefined;
  const messages = agentMessages(input.transcript_path, input.tool_use_id);
  const complete = messages.filter((message) => message.complete);
  const breaks = complete.findLastIndex(({ agents, dependent }) => agents !== 1 || dependent);
  if (complete.length - 1 - breaks < HABIT) return undefined;
  const own = messages.find((message) => message.own);
  if (mode === "block" && own?.complete === true) return ownAnswer("sequential agents", { block: ADVICE });
  return ownAnswer("sequential agents", {
    json: { systemMessage: ADVICE, hookSpecificOutput: { additionalContext: ADVICE } },
  });
}

/** The messages since the last prompt that started agents, in order. */
function agentMessages(transcript: unknown, callId: unknown): readonly AgentMessage[] {
  let messages: AgentMessage[] = [];
  for (const line of readTranscript(transcript)) {
    if (line.kind === "prompt") messages = [];
    if (line.kind === "prompt" || line.id === undefined) continue;
    const { id, stopped } = line;
    // Whatever comes after a message closes it.
    for (const earlier of messages) if (earlier.id !== id) earlier.complete = true;
    const calls = line.toolCalls.filter((call) => AGENT_TOOLS.has(String(call.name)));
    let message = messages.find((known) => known.id === id);
    if (message === undefined) {
      if (calls.length === 0) continue;
      message = { id, agents: 0, dependent: false, complete: false, own: false };
      messages.push(message);
    }
    message.agents += calls.length;
    message.dependent ||= calls.some((call) => dependencyMarked(call.input));
    message.own ||= calls.some((call) => typeof callId === "string" && call.id === callId);
    message.complete ||= stopped;
  }
  return messages;
}

function dependencyMarked(input: unknown): boolean {
  const { description, prompt } = fieldsOf(input) ?? {};
  return [description, prompt].some((text) => typeof text === "string" && DEPENDENCY_MARK.test(text));
}
