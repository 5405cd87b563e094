import { parsedJson } from "@coppice/engine/values";
import { z } from "zod";
import { ModelError } from "../consultation.ts";
import type { ProviderAnswer } from "../transport/chat-protocol.ts";

const event = z.object({
  type: z.string(),
  item: z.object({ type: z.string().nullish(), text: z.string().nullish() }).nullish(),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
  message: z.string().nullish(),
});

/**
 * What `codex exec --json` prints: one event per line. The last `agent_message` is the answer, earlier ones say what it is
 * about to do; `turn.completed` counts tokens, `turn.failed` and `error` say what went wrong.
 */
export function codexAnswer(printed: string): ProviderAnswer {
  let [content, reasoning, failure] = ["", "", ""];
  let usage: ProviderAnswer["usage"];
  for (const line of printed.split("\n")) {
    const read = event.safeParse(parsedJson(line));
    if (!read.success) continue;
    const { type, item, usage: counted, error, message } = read.data;
    if (type === "item.completed" && item?.type === "agent_message") content = item.text ?? "";
    if (type === "item.completed" && item?.type === "reasoning") reasoning += item.text ?? "";
    if (type === "turn.completed" && counted != null) {
      usage = { promptTokens: counted.input_tokens, answerTokens: counted.output_tokens };
    }
    if (type === "turn.failed" || type === "error") failure = error?.message ?? message ?? "it did not say why";
  }
  const counted = usage === undefined ? {} : { usage };
  if (failure !== "") throw new ModelError("CommandFailed", `codex failed: ${failure}`, { counted });
  if (content.trim() === "") throw new ModelError("EmptyAnswer", "the command printed no message", { counted });
  return { content: content.trim(), reasoning, ...counted };
}
