import { defineEvaluator } from "@coppice/engine/evaluator";
import { type Consultation, type WrittenAnswer, written } from "./consultation.ts";
import { type ConsultContext, gatewayFor } from "./gateway.ts";
import { estimatedTokens } from "./money/charge.ts";

/** Asks a model. Runs in the pool for work that waits, so that all of a run's calls share one gateway. */
export default defineEvaluator({
  setup: (context: ConsultContext) => gatewayFor(context),
  evaluate: async (gateway, { request }: Consultation, task): Promise<WrittenAnswer> => {
    const answer = await gateway.ask(request, {
      signal: task.signal,
      key: task.key,
      arrived: (characters) => {
        const tokens = estimatedTokens(characters);
        task.report({ done: tokens, total: request.maxTokens ?? 0, label: "tokens" });
      },
    });
    return written(answer);
  },
});
