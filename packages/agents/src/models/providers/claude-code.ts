import { parsedJson } from "@coppice/engine/values";
import { z } from "zod";
import { ModelError } from "../consultation.ts";
import type { ProviderAnswer } from "../transport/chat-protocol.ts";

const result = z.object({
  result: z.string().nullish(),
  is_error: z.boolean().nullish(),
  subtype: z.string().nullish(),
  total_cost_usd: z.number().nonnegative().nullish(),
  usage: z
    .object({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
      cache_read_input_tokens: z.number().nullish(),
    })
    .nullish(),
});

/**
 * What `claude -p --output-format json` prints: one object with the answer, its cost and its tokens. A failure is an object
 * too, with `is_error` and exit code 0.
 */
export function claudeCodeAnswer(printed: string): ProviderAnswer {
  const read = result.safeParse(parsedJson(printed));
  if (!read.success)
    throw new ModelError("BadAnswer", "the command did not print the JSON of claude --output-format json");
  const { result: content, is_error: failed, subtype, total_cost_usd: cost, usage } = read.data;
  const asked =
    (usage?.input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
  const counted = {
    ...(usage == null ? {} : { usage: { promptTokens: asked, answerTokens: usage.output_tokens ?? 0 } }),
    ...(cost == null ? {} : { cost }),
  };
  if (failed === true || content == null) {
    throw new ModelError("CommandFailed", `claude failed: ${content ?? subtype ?? "it did not say why"}`, { counted });
  }
  if (content.trim() === "") throw new ModelError("EmptyAnswer", "the command printed nothing", { counted });
  return { content: content.trim(), reasoning: "", ...counted };
}
