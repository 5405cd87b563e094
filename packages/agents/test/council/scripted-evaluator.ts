import { setTimeout as wait } from "node:timers/promises";
import { defineEvaluator } from "@coppice/engine/evaluator";
import type { CouncilCandidate, CouncilValue } from "../../src/council/candidate.ts";

/** What to say, by label; a persona's reply for every round may stand under its name alone. */
export interface Script {
  readonly replies: Readonly<Record<string, string>>;
  /** Milliseconds by label. */
  readonly delays?: Readonly<Record<string, number>>;
  /** In US dollars, of every model's answer. */
  readonly cost?: number;
}

/** Replies that start with this are failures. */
export const FAILS = "!fail ";

class ScriptedFailure extends Error {
  override readonly name = "HttpError";
}

export default defineEvaluator<Script, Script, CouncilCandidate, CouncilValue>({
  setup: (script) => script,
  evaluate: async ({ replies, delays = {}, cost }, candidate, task) => {
    const { label } = candidate;
    await wait(delays[label] ?? 0, undefined, { signal: task.signal });
    const reply = replies[label] ?? replies[label.replace(/^round \d+: /, "")] ?? "";
    if (reply.startsWith(FAILS)) throw new ScriptedFailure(reply.slice(FAILS.length));
    if (candidate.kind !== "model") return { kind: "found", answer: reply === "" ? null : reply, from: candidate.kind };
    return { kind: "model", content: reply, reasoning: "", ms: 0, ...(cost === undefined ? {} : { cost }) };
  },
});
