import { dataBlock, dataRule } from "../consult/data-block.ts";
import { linesOf } from "../digest/source-file.ts";
import { oneQuestion, type RequestBase } from "../models/consultation.ts";
import type { Persona } from "../personas/persona.ts";
import { REPLY_FORM } from "../replies/reply.ts";
import type { SwarmTask } from "./swarm.ts";

/** The personas that look at a question when none are named. */
export const usualAnalysts = ["judge", "critic", "skeptic", "innovator", "oracle"] as const;

/** One view of a question. A name that is not a persona is taken as a field of expertise. */
export function analysisTask(
  base: RequestBase,
  question: string,
  name: string,
  persona: Persona | undefined,
): SwarmTask {
  const role =
    persona?.instructions ??
    `You look at every question as ${name} would: with the knowledge, the concerns and the experience that go with that. Say what someone from another field would overlook.`;
  return oneQuestion(
    name,
    base,
    `${role}\n\n${dataRule}\n\n${REPLY_FORM}`,
    `Give your view of this:\n\n${dataBlock("question", question)}`,
  );
}

const focusHints = [
  "the simplest thing that could work",
  "the boldest version anyone would dare to try",
  "the version that costs nothing",
  "what a beginner would love",
  "what an expert would respect",
  "the opposite of the usual answer",
  "an idea borrowed from another field",
  "something that works for ten years without care",
  "something that can be tried today",
  "what nobody has asked for but everybody would keep",
] as const;

/** One of many ideas, each with a different focus, so that they do not all come out the same. */
export function generationTask(base: RequestBase, topic: string, index: number): SwarmTask {
  const focus = focusHints[index % focusHints.length];
  return oneQuestion(
    `idea ${index + 1}`,
    base,
    "You have one idea at a time, and you say it in a few sentences: what it is, why it would work, and what it would take.",
    `${topic}\n\nGive one idea. Focus on ${focus}. This is idea number ${index + 1}: do not give the first one that comes to mind.`,
  );
}

export function reviewTask(base: RequestBase, path: string, text: string, focus: string | undefined): SwarmTask {
  const system = `You review one file${focus === undefined ? "" : `, with an eye on ${focus} above all`}. Report defects that would hurt someone, not matters of taste.

${dataRule}

Reply with one JSON object per line and nothing else:
{"severity": "critical" | "high" | "medium" | "low", "line": number, "finding": "what is wrong and what would be right"}
If there is nothing to report, reply with {"severity": "none"}.`;
  const lineCount = linesOf(text).length;
  return { ...oneQuestion(path, base, system, `Review this file:\n\n${dataBlock(path, text)}`), lineCount };
}

/** The kinds of cases that take turns. */
export const caseCategories = ["usual use", "edge case", "error", "abuse"] as const;

export function testCaseTask(base: RequestBase, name: string, text: string, index: number): SwarmTask {
  const category = caseCategories[index % caseCategories.length];
  const system = `You write one test case of a given category. Choose something that the obvious tests would miss.

${dataRule}

Reply with one JSON object and nothing else:
{"category": "${category}", "name": "the claim that is tested", "given": "the situation and the input", "expect": "what must happen"}`;
  const asked = `Category: "category": "${category}". This is case number ${index + 1} of its kind.\n\n${dataBlock(name, text)}`;
  return { ...oneQuestion(`case ${index + 1} (${category})`, base, system, asked), category };
}

/** One of many equal prompts; only its index tells it from the others. */
export function batchTask(base: RequestBase, prompt: string, system: string | undefined, index: number): SwarmTask {
  return oneQuestion(`answer ${index + 1}`, base, system, prompt);
}
