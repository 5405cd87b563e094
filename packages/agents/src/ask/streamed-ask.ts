import type { PreparedRun } from "@coppice/engine/session";
import { type ConsultContext, gatewayFor } from "../models/gateway.ts";
import type { AskRecord } from "./prepare-ask.ts";
import type { AskResult } from "./question.ts";

/**
 * A question whose answer is written as it comes: one model as it is, asked once. What a cache or a retry had to say
 * follows at the end, so that all of the answer is there. Undefined for questions that have no single text to write.
 */
export function streamed<Candidate, Value>(
  prepared: PreparedRun<Candidate, Value, AskResult>,
  { question }: AskRecord,
  context: ConsultContext,
  write: (text: string) => void,
): PreparedRun<Candidate, Value, AskResult> | undefined {
  const [only, ...others] = question.respondents;
  if (others.length > 0 || only.title !== "" || question.steps > 1 || question.schema !== undefined) return undefined;
  let shown = "";
  return {
    ...prepared,
    begun: (run, directory, session) => {
      prepared.begun?.(run, directory, session);
      gatewayFor(context).onText = (_key, content) => {
        // Blanks at its end wait for what follows: they may be the answer's end.
        const text = content.trim();
        // A new attempt begins from the start; what it repeats stays as it was written.
        if (!text.startsWith(shown)) return;
        write(text.slice(shown.length));
        shown = text;
      };
    },
    describe: ({ results: [answer] }) => {
      const whole = answer.ok ? answer.content.trim() : "";
      if (shown === "") return whole;
      if (whole.startsWith(shown)) {
        write(`${whole.slice(shown.length)}\n`);
        return "";
      }
      write("\n");
      return answer.ok ? `[the answer above broke off; the whole of it follows]\n${whole}` : "";
    },
  };
}
