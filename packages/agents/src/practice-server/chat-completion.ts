import type { AnswerBehaviour } from "./behaviour.ts";
import type { ReceivedBody } from "./received-call.ts";

const MAX_PIECES = 20;
const CHARACTERS_PER_TOKEN = 4;

export function wholeCompletion(answer: AnswerBehaviour, body: ReceivedBody, id: string): unknown {
  const message = {
    role: "assistant",
    content: answer.content,
    ...(answer.reasoning === undefined ? {} : { reasoning: answer.reasoning }),
    ...besides(answer),
  };
  return {
    id,
    object: "chat.completion",
    model: body.model,
    choices: [{ index: 0, message, finish_reason: answer.finish ?? "stop" }],
    ...usageOf(answer, body),
  };
}

/** The answer as the chunks of a stream: thoughts first, then the text in pieces, then the count of tokens. */
export function completionChunks(answer: AnswerBehaviour, body: ReceivedBody, id: string): unknown[] {
  const chunk = (delta: unknown, finish: string | null) => ({
    id,
    object: "chat.completion.chunk",
    model: body.model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const options = body.stream_options as { include_usage?: boolean } | undefined;
  return [
    chunk({ role: "assistant", content: "" }, null),
    ...(answer.reasoning === undefined ? [] : [chunk({ reasoning: answer.reasoning }, null)]),
    ...pieces(answer).map((content) => chunk({ content }, null)),
    ...(answer.refusal === undefined && answer.tools === undefined ? [] : [chunk(besides(answer), null)]),
    chunk({}, answer.finish ?? "stop"),
    ...(options?.include_usage === true
      ? [{ id, object: "chat.completion.chunk", choices: [], ...usageOf(answer, body) }]
      : []),
  ];
}

/** What a message has instead of a text, or besides it. */
function besides({ refusal, tools }: AnswerBehaviour): object {
  return {
    ...(refusal === undefined ? {} : { refusal }),
    ...(tools === undefined
      ? {}
      : {
          tool_calls: tools.map((name, index) => ({
            index,
            id: `call-${index}`,
            type: "function",
            function: { name, arguments: "{}" },
          })),
        }),
  };
}

function pieces({ content, pieces }: AnswerBehaviour): string[] {
  const words = content.match(/\s*\S+\s*/g) ?? [content];
  const count = Math.max(1, Math.min(pieces ?? MAX_PIECES, words.length));
  return Array.from({ length: count }, (_, i) =>
    words.slice(Math.floor((i * words.length) / count), Math.floor(((i + 1) * words.length) / count)).join(""),
  );
}

function usageOf(answer: AnswerBehaviour, body: ReceivedBody): { usage?: unknown } {
  if (answer.usage === null) return {};
  const asked = body.messages.reduce((sum, { content }) => sum + content.length, 0);
  const said = answer.content.length + (answer.reasoning?.length ?? 0);
  const usage = answer.usage ?? {
    prompt_tokens: Math.ceil(asked / CHARACTERS_PER_TOKEN),
    completion_tokens: Math.ceil(said / CHARACTERS_PER_TOKEN),
  };
  return { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } };
}
