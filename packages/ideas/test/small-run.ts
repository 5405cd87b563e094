import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Task } from "@coppice/engine";
import { processStart } from "@coppice/engine/child-process";
import { defaultShape, defaultWork } from "../src/config/choices.ts";
import type { EvaluationTask, GivenConversation, Idea } from "../src/contract.ts";
import { keepBytes } from "../src/evaluate/kept-file.ts";
import { type OpenRun, openRun } from "../src/evaluate/open-run.ts";
import { newSettings } from "../src/run/tree-settings.ts";
import { layout } from "../src/run-layout.ts";
import { ideaHash } from "../src/search/idea-choice.ts";
import type { StepConfig, TreeConfig, TreeWork } from "../src/settings.ts";
import type { SmallRepository } from "./small-repository.ts";

/** A step that runs a shell line or a program. */
export function step(command: StepConfig["command"], timeoutMs: number | null = null): StepConfig {
  return { command, timeoutMs, environment: {} };
}

/** Writes the idea's text to value.txt; the sweep measures the file. */
export const workingSteps: TreeConfig["steps"] = {
  setup: null,
  implement: step('cp {idea} "{worktree}/value.txt"'),
  review: null,
  test: null,
  sweep: step('{ echo config_id,speed; echo "0,$(cat value.txt)"; } > {results}'),
};

/** What a test wants to be different. */
export interface RunChanges {
  readonly id?: string;
  readonly steps?: Partial<TreeConfig["steps"]>;
  readonly config?: Partial<TreeConfig>;
  readonly limit?: number;
  readonly work?: Partial<TreeWork>;
}

/** A configuration whose only metric is `speed`. */
export function configOf(repository: SmallRepository, changes: Pick<RunChanges, "steps" | "config"> = {}): TreeConfig {
  return {
    repository: repository.path,
    baseline: null,
    ideas: { kind: "folder", path: join(repository.folder, "ideas") },
    link: [],
    share: [],
    steps: { ...workingSteps, ...changes.steps },
    review: { maxRounds: 0, proceedOnMaxRounds: false },
    results: { format: "csv", idColumn: "config_id", errorColumn: "error" },
    score: {
      kind: "columns",
      metrics: [{ column: "speed", weight: 1, better: "higher" }],
      primary: "speed",
      primaryTolerance: 0.05,
      risk: null,
    },
    ...changes.config,
  };
}

/** A run's folder beside the repository, with a baseline of speed 1 and its settings written. */
export async function smallRun(repository: SmallRepository, changes: RunChanges = {}): Promise<OpenRun> {
  const id = changes.id ?? "small";
  const runRoot = join(repository.folder, "runs", id);
  mkdirSync(runRoot, { recursive: true });
  const settings = newSettings(id, {
    rootCommit: repository.head,
    config: configOf(repository, changes),
    shape: { ...defaultShape, repeats: 1, sweepConfigLimit: changes.limit ?? null },
    work: { ...defaultWork, parallelBackend: "threads", ...changes.work },
  });
  writeFileSync(join(runRoot, layout.settings), JSON.stringify(settings));
  return openRun(runRoot, settings);
}

/** An idea of this text, put aside as the coordinator would. */
export function ideaOf(run: OpenRun, text: string, name = "idea.md"): Idea {
  const kept = keepBytes(run.runRoot, `${layout.nodeIdeas("0000")}/${name}`, Buffer.from(text));
  return { name, ...kept, textHash: ideaHash(text) };
}

/** The evaluation of an idea on the root. */
export function evaluationOf(run: OpenRun, idea: Idea, evalId = "0001"): EvaluationTask {
  const baseline = keepBytes(run.runRoot, layout.rootBaseline, Buffer.from("config_id,speed\n0,1\n"));
  const parent = { nodeId: "0000", depth: 0, commit: run.settings.rootCommit, baseline };
  return { kind: "evaluation", evalId, depth: 0, parent, idea, rootBaseline: baseline };
}

/** The root's conversation before its first turn. */
export const freshConversation: GivenConversation = {
  conversationId: "c0000",
  mode: "auto",
  sessionId: null,
  mustFork: false,
  forkedFromTurnId: null,
  summary: "",
  turns: [],
};

/** What the engine gives an evaluation. */
export function taskOf(changes: Partial<Task> = {}): Task {
  const signal = new AbortController().signal;
  return { id: 0, key: "k", attempt: 0, seed: 1, signal, report: () => {}, log: () => {}, ...changes };
}

/** Waits for something another process does; gives up after a generous time. */
export async function until(condition: () => boolean, limitMs = 10_000): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < limitMs && !condition(); waitedMs += 10) await sleep(10);
  return condition();
}

export function isAlive(pid: number): boolean {
  return processStart(pid) !== undefined;
}
