import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { awaitRun, USUAL_WAIT_SECONDS } from "../await-run.ts";
import type { Command } from "../run-desk.ts";
import { type Answer, type Call, optionsOf, tool } from "../tool.ts";

export const waiting = {
  wait_seconds: z
    .number()
    .min(0)
    .max(3600)
    .default(USUAL_WAIT_SECONDS)
    .describe("answer with the run's id if it has not ended by then; 0: at once"),
};

const asking = {
  ...waiting,
  model: z.string().optional().describe("a name in the models file, or provider/model"),
  demo: z.boolean().optional().describe("made-up answers from this machine; no key needed, costs nothing"),
  max_cost: z.number().min(0).optional().describe("US dollars; ask nothing more once this is spent"),
  max_tokens: z.int().min(1).optional().describe("the longest answer"),
  concurrency: z.int().min(1).max(1000).optional(),
};

const personas = z.array(z.string().regex(/^[^,]+$/)).min(1);
const asks = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;

interface Asking {
  readonly wait_seconds: number;
  readonly max_cost?: number | undefined;
}

/** Starts a run that asks models, within what one call may spend. */
function consult<Input extends Asking>(
  { wait_seconds, max_cost, ...input }: Input,
  command: Omit<Command, "options">,
  call: Call,
): Promise<Answer> {
  const limits = [max_cost, call.permissions.maxCost].filter((limit) => limit !== undefined);
  const spend = limits.length === 0 ? {} : { max_cost: Math.min(...limits) };
  const run = call.desk.start(() => ({ ...command, options: optionsOf({ ...input, ...spend }) }));
  return awaitRun(run, wait_seconds, true, call);
}

export const ask = tool({
  name: "ask",
  description: "Ask one question to several personas at once; answers come in the order you named them.",
  annotations: { title: "Ask personas", ...asks },
  input: z.strictObject({
    question: z.string().min(1),
    personas: personas.optional().describe("names of personas or presets"),
    preset: z.string().optional().describe("quick, comprehensive, security, technical or all"),
    custom_prompt: z.string().optional().describe("a persona that you describe yourself"),
    stance: z.enum(["for", "against", "neutral"]).optional(),
    steps: z.int().min(1).max(20).optional().describe("ask each one again, up to n times, until it is sure enough"),
    ...asking,
  }),
  call: ({ question, personas: batch, ...input }, call) =>
    consult({ ...input, batch }, { words: ["ask"], operands: ["-"], input: question }, call),
});

export const council = tool({
  name: "council",
  description: "Have several personas judge a proposal, in rounds, until they agree; an arbiter sums up.",
  annotations: { title: "Hold a council", ...asks },
  input: z.strictObject({
    proposal: z.string().min(1),
    personas: personas.optional().describe("who sits on the council"),
    preset: z.string().optional().describe("quick, comprehensive, security, technical or all"),
    recruit: z.boolean().optional().describe("choose the members by the words of the proposal"),
    max_rounds: z.int().min(1).max(20).optional(),
    quorum: z.number().min(0).max(1).optional(),
    max_size: z.int().min(1).max(100).optional(),
    arbiter: z.string().optional().describe("the arbiter's model"),
    seed: z.int().min(0).optional(),
    ...asking,
  }),
  call: ({ proposal, ...input }, call) =>
    consult({ ...input, no_questions: true }, { words: ["council"], operands: ["-"], input: proposal }, call),
});

export const swarm = tool({
  name: "swarm",
  description:
    "Many prompts at once: one view per persona (analyze), n ideas (generate), one review per file (review), n test cases (test_cases), or one prompt n times (batch).",
  annotations: { title: "Start a swarm", ...asks },
  input: z.strictObject({
    kind: z.enum(["analyze", "generate", "review", "test_cases", "batch"]),
    text: z.string().min(1).optional().describe("what it is about; a review needs none"),
    count: z.int().min(1).max(1000).optional().describe("how many: generate, test_cases, batch"),
    files: z.array(z.string().min(1)).optional().describe("review: files or globs below the project"),
    personas: personas.optional().describe("analyze: whose views"),
    focus: z.string().optional().describe("review: what to look for above all"),
    min_success: z.number().min(0).max(1).optional(),
    ...asking,
  }),
  call: ({ kind, text, count, files, ...input }, call) => {
    const needs = { analyze: "text", generate: "text", review: "files", test_cases: "text", batch: "text" } as const;
    if ({ text, files }[needs[kind]] === undefined) throw new UsageError(`swarm: "${kind}" needs ${needs[kind]}`);
    if (count === undefined && kind !== "analyze" && kind !== "review")
      throw new UsageError(`swarm: "${kind}" needs count`);
    const globs = kind === "review" ? belowProject(files ?? []).map((glob) => `--review=${glob}`) : [];
    const counted = kind === "analyze" ? { analyze: text } : kind === "review" ? {} : { [kind]: count };
    const about = kind === "analyze" || kind === "review" ? {} : { operands: ["-"], input: text ?? "" };
    return consult({ ...input, ...counted }, { words: ["swarm", ...globs], ...about }, call);
  },
});

export const digest = tool({
  name: "digest",
  description:
    "Ask one question about many files: each is read by a request of its own, and short summaries with checked citations come back, instead of the files.",
  annotations: { title: "Digest files", ...asks },
  input: z.strictObject({
    files: z.array(z.string().min(1)).min(1).describe("text files below the project"),
    question: z.string().min(1).optional(),
    max_lines: z.int().min(1).optional().describe("the most lines in a summary"),
    max_words: z.int().min(5).optional(),
    fresh: z.boolean().optional().describe("ask again, even where a summary is known"),
    ...asking,
  }),
  call: ({ files, ...input }, call) => consult(input, { words: ["digest"], operands: belowProject(files) }, call),
});

/** What is sent to a model is the project's: nothing above it, whatever links lead there. */
function belowProject(files: readonly string[]): readonly string[] {
  const home = realpathSync(process.cwd());
  for (const file of files) {
    const path = resolve(home, file);
    const [first] = relative(home, existsSync(path) ? realpathSync(path) : path).split(sep);
    if (first === "..") throw new UsageError(`${file} is outside of ${home}: only files below it are sent to a model`);
  }
  return files;
}
