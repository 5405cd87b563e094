import { readSource } from "@coppice/agents/digest";
import {
  analysisTask,
  batchTask,
  generationTask,
  type RequestBase,
  reviewTask,
  type SkippedFile,
  type SwarmPlan,
  type SwarmTask,
  testCaseTask,
  usualAnalysts,
} from "@coppice/agents/swarm";
import { UsageError } from "@coppice/engine";
import type { ConsultSetup } from "../consult/setup.ts";
import { textInput } from "../consult/text-input.ts";
import { filesOf } from "./files-of.ts";
import type { SwarmFlags } from "./swarm.ts";

type Mode = SwarmPlan["mode"];

/** Flags that mean something with one mode only. */
const belongings: readonly { readonly flag: keyof SwarmFlags; readonly typed: string; readonly mode: Mode }[] = [
  { flag: "personas", typed: "--personas", mode: "analyze" },
  { flag: "focus", typed: "--focus", mode: "review" },
  { flag: "file", typed: "--file", mode: "test-cases" },
  { flag: "customPrompt", typed: "--custom-prompt", mode: "batch" },
];

/** The prompts of a swarm, from what was typed. Reads files; sends nothing. */
export async function swarmPlan(text: string | undefined, flags: SwarmFlags, setup: ConsultSetup): Promise<SwarmPlan> {
  const mode = modeOf(flags);
  for (const { flag, typed, mode: owner } of belongings) {
    if (flags[flag] !== undefined && mode !== owner)
      throw new UsageError(`${typed} goes with --${owner}, not with --${mode}`);
  }
  if (text !== undefined && (mode === "analyze" || mode === "review" || flags.file !== undefined)) {
    throw new UsageError(`${JSON.stringify(text)} is one text too many: --${mode} says already what it is about`);
  }
  const base: RequestBase = { model: setup.modelFor().reference, ...setup.tuning };
  switch (mode) {
    case "analyze":
      return analysis(flags, setup);
    case "generate": {
      const about = await textInput(text, "topic");
      return plan(
        mode,
        about,
        times(flags.generate, (index) => generationTask(base, about, index)),
      );
    }
    case "review":
      return review(flags, base);
    case "test-cases":
      return testCases(text, flags, base);
    case "batch": {
      const about = await textInput(text, "prompt");
      return plan(
        mode,
        about,
        times(flags.batch, (index) => batchTask(base, about, flags.customPrompt, index)),
      );
    }
    default:
      return mode satisfies never;
  }
}

function modeOf({ analyze, generate, review, testCases, batch }: SwarmFlags): Mode {
  const given: Record<Mode, unknown> = { analyze, generate, review, "test-cases": testCases, batch };
  const modes = (Object.keys(given) as Mode[]).filter((mode) => given[mode] !== undefined);
  if (modes.length === 1) return modes[0];
  const all = "--analyze, --generate, --review, --test-cases, --batch";
  throw new UsageError(
    modes.length === 0
      ? `what should the swarm do? give one of ${all}`
      : `${modes.map((mode) => `--${mode}`).join(" and ")} cannot go together: give one of ${all}`,
  );
}

function plan(mode: Mode, about: string, tasks: readonly SwarmTask[], skipped: readonly SkippedFile[] = []): SwarmPlan {
  return { mode, about, tasks, skipped };
}

function times(count: number | undefined, make: (index: number) => SwarmTask): SwarmTask[] {
  return Array.from({ length: count ?? 0 }, (_, index) => make(index));
}

function analysis({ analyze = "", personas }: SwarmFlags, { library, modelFor, tuning }: ConsultSetup): SwarmPlan {
  if (analyze.trim() === "") throw new UsageError("the question is empty");
  const names =
    personas
      ?.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "") ?? usualAnalysts;
  if (names.length === 0) throw new UsageError("--personas is an empty list");
  const tasks = [...new Set(names)].map((name) => {
    const persona = library.get(name.toLowerCase());
    if (persona === undefined) process.stderr.write(`${name} is no persona: asked as a field of knowledge\n`);
    return analysisTask({ model: modelFor(persona?.name).reference, ...tuning }, analyze.trim(), name, persona);
  });
  return plan("analyze", analyze.trim(), tasks);
}

async function review({ review = [], focus, maxFileBytes }: SwarmFlags, base: RequestBase): Promise<SwarmPlan> {
  const tasks: SwarmTask[] = [];
  const skipped: SkippedFile[] = [];
  for (const path of filesOf(review)) {
    const source = await readSource(path, { maxBytes: maxFileBytes });
    if (source.state === "read") tasks.push(reviewTask(base, path, source.lines.join("\n"), focus));
    else skipped.push({ label: path, why: source.problem });
  }
  return plan("review", review.join(" "), tasks, skipped);
}

async function testCases(text: string | undefined, flags: SwarmFlags, base: RequestBase): Promise<SwarmPlan> {
  const { file, maxFileBytes, testCases: count } = flags;
  const about = file === undefined ? await textInput(text, "description") : await textOf(file, maxFileBytes);
  const name = file ?? "description";
  return plan(
    "test-cases",
    name,
    times(count, (index) => testCaseTask(base, name, about, index)),
  );
}

async function textOf(path: string, maxBytes: number): Promise<string> {
  const source = await readSource(path, { maxBytes });
  if (source.state === "read") return source.lines.join("\n");
  throw new UsageError(`--file ${path}: ${source.problem}`);
}
