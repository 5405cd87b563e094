import type { TestContext } from "node:test";
import { type Behaviour, instructions, question, type ReceivedCall } from "@coppice/agents/practice-server";
import { type Practice, practice } from "./practice.ts";

const price = { input: 1, output: 2 };

/** Models for a council, all on one practice server that answers as told: a pool of two, and a chief for the arbiter. */
export async function practiceCouncil(
  t: TestContext,
  respond: (call: ReceivedCall) => Behaviour | string,
): Promise<Practice> {
  const answer = (call: ReceivedCall): Behaviour => {
    const said = respond(call);
    return typeof said === "string" ? { kind: "answer", content: said } : said;
  };
  const models = Object.fromEntries(["a", "b", "chief"].map((model) => [model, { provider: "local", model, price }]));
  const file = { models, default: "a", pool: ["a", "b"], arbiter: "chief" };
  return practice(t, { respond: answer }, { file });
}

/** Who of a council is asked, and in which round: `round 2: judge`. */
export function labelOf(call: Pick<ReceivedCall, "body">): string {
  const [, name = "?"] = /You are the (\w+)\./.exec(instructions(call)) ?? [];
  const [, round = "?"] = /[Rr]ound (\d+)/.exec(question(call)) ?? [];
  return `round ${round}: ${name.toLowerCase()}`;
}
