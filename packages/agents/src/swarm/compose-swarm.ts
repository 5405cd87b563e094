import { globSync } from "node:fs";
import { isFolder } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { ConsultSetup } from "../consult/consult-setup.ts";
import { type BatchRecord, batchRecord } from "../consult/prepare-consultation.ts";
import { readSource } from "../digest/source-file.ts";
import type { RequestBase } from "../models/consultation.ts";
import type { SwarmRecord } from "./prepare-swarm.ts";
import type { SkippedFile, Swarm, SwarmMode, SwarmTask } from "./swarm.ts";
import { analysisTask, batchTask, generationTask, reviewTask, testCaseTask, usualAnalysts } from "./swarm-prompts.ts";

/** What a swarm can be told; named like the options of its command. Exactly one of the first five says what it does. */
export interface SwarmChoices extends BatchRecord {
  readonly analyze?: string;
  readonly generate?: number;
  readonly review?: readonly string[];
  readonly testCases?: number;
  readonly batch?: number;
  readonly personas?: string;
  readonly focus?: string;
  readonly file?: string;
  readonly customPrompt?: string;
  readonly maxFileBytes: number;
}

/** Where the user's words come from, and where remarks for people go. */
export interface SwarmTexts {
  readonly typed: string | undefined;
  readonly read: (what: string) => Promise<string>;
  readonly remark: (line: string) => void;
}

const MOST_PROMPTS = 1000;

/** Options that mean something in one mode only. */
const options: readonly { readonly choice: keyof SwarmChoices; readonly typed: string; readonly mode: SwarmMode }[] = [
  { choice: "personas", typed: "--personas", mode: "analyze" },
  { choice: "focus", typed: "--focus", mode: "review" },
  { choice: "file", typed: "--file", mode: "test-cases" },
  { choice: "customPrompt", typed: "--custom-prompt", mode: "batch" },
];

/** The prompts of a swarm, everything checked. Reads files; sends nothing. */
export async function composeSwarm(
  choices: SwarmChoices,
  setup: ConsultSetup,
  texts: SwarmTexts,
): Promise<SwarmRecord> {
  const mode = modeOf(choices);
  for (const { choice, typed, mode: owner } of options) {
    if (choices[choice] !== undefined && mode !== owner)
      throw new UsageError(`${typed} goes with --${owner}, not with --${mode}`);
  }
  if (texts.typed !== undefined && (mode === "analyze" || mode === "review" || choices.file !== undefined)) {
    throw new UsageError(
      `${JSON.stringify(texts.typed)} is one text too many: --${mode} already says what it is about`,
    );
  }
  const swarm = await swarmOf(mode, choices, setup, texts);
  if (swarm.tasks.length > MOST_PROMPTS) {
    throw new UsageError(`that would be ${swarm.tasks.length} prompts; a swarm has at most ${MOST_PROMPTS}`);
  }
  if (swarm.tasks.length > 0) return { plan: swarm, ...batchRecord(choices) };
  const [first] = swarm.skipped;
  throw new UsageError(`nothing is left to ask about: ${first === undefined ? "" : `${first.label}: ${first.why}`}`);
}

function modeOf({ analyze, generate, review, testCases, batch }: SwarmChoices): SwarmMode {
  const given: Record<SwarmMode, unknown> = { analyze, generate, review, "test-cases": testCases, batch };
  const modes = (Object.keys(given) as SwarmMode[]).filter((mode) => given[mode] !== undefined);
  if (modes.length === 1) return modes[0];
  const all = "--analyze, --generate, --review, --test-cases, --batch";
  throw new UsageError(
    modes.length === 0
      ? `what should the swarm do? give one of ${all}`
      : `${modes.map((mode) => `--${mode}`).join(" and ")} cannot go together: give one of ${all}`,
  );
}

async function swarmOf(mode: SwarmMode, choices: SwarmChoices, setup: ConsultSetup, texts: SwarmTexts): Promise<Swarm> {
  const base: RequestBase = { model: setup.modelFor().reference, ...setup.tuning };
  const skipped: readonly SkippedFile[] = [];
  switch (mode) {
    case "analyze":
      return analysis(choices, setup, texts.remark);
    case "generate": {
      const about = await texts.read("topic");
      return { mode, about, tasks: times(choices.generate, (at) => generationTask(base, about, at)), skipped };
    }
    case "review":
      return review(choices, base);
    case "test-cases": {
      const { file, maxFileBytes } = choices;
      const text = file === undefined ? await texts.read("description") : await textOf(file, maxFileBytes);
      const about = file ?? "description";
      return { mode, about, tasks: times(choices.testCases, (at) => testCaseTask(base, about, text, at)), skipped };
    }
    case "batch": {
      const about = await texts.read("prompt");
      const tasks = times(choices.batch, (at) => batchTask(base, about, choices.customPrompt, at));
      return { mode, about, tasks, skipped };
    }
    default:
      return mode satisfies never;
  }
}

function times(count: number | undefined, make: (index: number) => SwarmTask): SwarmTask[] {
  return Array.from({ length: count ?? 0 }, (_, index) => make(index));
}

function analysis(
  { analyze = "", personas }: SwarmChoices,
  { library, modelFor, tuning }: ConsultSetup,
  remark: (line: string) => void,
): Swarm {
  const about = analyze.trim();
  if (about === "") throw new UsageError('the question is empty: give it behind --analyze, such as "Is it safe?"');
  const names =
    personas
      ?.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "") ?? usualAnalysts;
  if (names.length === 0) throw new UsageError("--personas is an empty list");
  const tasks = [...new Set(names)].map((name) => {
    const persona = library.get(name.toLowerCase());
    if (persona === undefined) remark(`there is no persona ${name}: asked as a field of expertise`);
    return analysisTask({ model: modelFor(persona?.name).reference, ...tuning }, about, name, persona);
  });
  return { mode: "analyze", about, tasks, skipped: [] };
}

async function review({ review = [], focus, maxFileBytes }: SwarmChoices, base: RequestBase): Promise<Swarm> {
  const tasks: SwarmTask[] = [];
  const skipped: SkippedFile[] = [];
  for (const path of filesOf(review)) {
    const source = await readSource(path, { maxBytes: maxFileBytes });
    if (source.state === "read") tasks.push(reviewTask(base, path, source.lines.join("\n"), focus));
    else skipped.push({ label: path, why: source.problem });
  }
  const above = focus === undefined ? "" : `, with an eye on ${focus}`;
  return { mode: "review", about: `${review.join(" ")}${above}`, tasks, skipped };
}

/** Never meant by a pattern that happens to cover them. */
const LEFT_OUT = new Set(["node_modules", ".git"]);

/** The files that globs name, each once, in the order of their names whatever the file system says. */
function filesOf(globs: readonly string[]): string[] {
  const files = globs.flatMap((glob) => {
    const found = globSync(glob, { exclude: (path) => path.split("/").some((part) => LEFT_OUT.has(part)) }).filter(
      (path) => !isFolder(path),
    );
    if (found.length === 0) throw new UsageError(`no file matches ${JSON.stringify(glob)}`);
    return found;
  });
  return [...new Set(files)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

async function textOf(path: string, maxBytes: number): Promise<string> {
  const source = await readSource(path, { maxBytes });
  if (source.state === "read") return source.lines.join("\n");
  throw new UsageError(`--file ${path}: ${source.problem}`);
}
