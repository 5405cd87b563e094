import { defineEvaluator } from "@coppice/engine/evaluator";
import { printable } from "@coppice/engine/printable";
import models from "../models/evaluator.ts";
import type { Gateway } from "../models/gateway.ts";
import { type ConsultContext, gatewayFor } from "../models/gateway.ts";
import type { CouncilCandidate, CouncilValue } from "./candidate.ts";
import { askPerson } from "./look-up/ask-person.ts";
import { searchCode } from "./look-up/search-code.ts";

/** What the council's evaluator is told; plain data, written into `run.json`. */
export interface CouncilContext {
  readonly consult: ConsultContext;
  /** The project whose code may be searched. */
  readonly directory: string;
  /** How long a person has for an answer. */
  readonly questionMs: number;
}

interface Means {
  readonly context: CouncilContext;
  readonly gateway: Gateway;
}

/** Asks models, searches the project and asks the person at the terminal. Runs in the pool for work that waits. */
export default defineEvaluator<CouncilContext, Means, CouncilCandidate, CouncilValue>({
  setup: (context) => ({ context, gateway: gatewayFor(context.consult) }),
  evaluate: async ({ context, gateway }, candidate, task) => {
    switch (candidate.kind) {
      case "model":
        return { kind: "model", ...(await models.evaluate(gateway, candidate, task)) };
      case "code": {
        const { lines, files } = await searchCode(context.directory, candidate.terms, task.signal);
        const from = `code search for ${candidate.terms.join(", ")}: ${files} files`;
        return { kind: "found", answer: lines.length === 0 ? null : lines.join("\n"), from };
      }
      case "person": {
        const { question, by } = candidate;
        const text = `\n${printable(`${by.join(", ")} asks: ${question}`)}\n(an empty line skips it) > `;
        const terminal = { input: process.stdin, output: process.stderr };
        const answer = await askPerson(text, terminal, { timeoutMs: context.questionMs, signal: task.signal });
        return { kind: "found", ...answer };
      }
      default:
        throw new Error(`a council cannot ask for ${JSON.stringify(candidate satisfies never)}`);
    }
  },
});
