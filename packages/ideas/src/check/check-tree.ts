import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Run } from "@coppice/engine";
import { runToEnd } from "@coppice/engine/session";
import { cleanTree } from "../belongings/unneeded.ts";
import type { ChosenTree } from "../config/choose-tree.ts";
import type { Cost } from "../contract.ts";
import { openRepository } from "../git/repository.ts";
import { failureLines } from "../report/failure-lines.ts";
import { prepareNewTree } from "../run/prepare-tree.ts";
import { openTree, readTree, refuseIfLive } from "../run/recorded-tree.ts";
import { layout } from "../run-layout.ts";
import type { Noise } from "../search/root-measured.ts";
import { ROOT_ID } from "../search/tree-state.ts";
import { NO_COST } from "../steps/reported-cost.ts";
import { type FullRun, fullRun } from "./full-run.ts";
import { pricesNotFound, remarksBeforehand } from "./remarks.ts";

/** A step of a check: how long it took and what it said it cost. */
export interface CheckedStep {
  /** What it was done for: the code as it is, or the idea. */
  readonly of: "root" | "idea";
  readonly step: string;
  readonly seconds: number;
  readonly cost: Cost;
}

/** What a check found out. */
export interface TreeCheck {
  /** Why it went no further, in lines; null when every step did what it should. */
  readonly problem: readonly string[] | null;
  readonly steps: readonly CheckedStep[];
  /** The agent was asked; otherwise its part was pretended. */
  readonly agent: boolean;
  /** The root was measured twice. */
  readonly looked: boolean;
  /** A column that came out different then. */
  readonly noise: Noise | null;
  /** What to know before it is grown, a line each. */
  readonly remarks: readonly string[];
  /** What the whole tree comes to; null when the check failed. */
  readonly full: FullRun | null;
}

/** Where a check is made, and whether it may spend. */
export interface CheckWishes {
  /** Where runs are kept: the check is made beside them, so that worktrees find what they will find later. */
  readonly runs: string;
  /** Let the agent try one idea, for its own price. */
  readonly agent: boolean;
  readonly onRun?: (run: Run<unknown>) => void;
}

const NAME = "check";
const CHECKED = "checked";

/** Runs set-up, baseline and one idea end to end, and says what the whole tree would take. Leaves nothing behind. */
export async function checkTree(chosen: ChosenTree, wishes: CheckWishes): Promise<TreeCheck> {
  const { gitDirectory } = await openRepository(chosen.config.repository, { clean: false });
  const runs = join(dirname(resolve(wishes.runs)), NAME);
  const runRoot = join(runs, NAME);
  if (existsSync(runRoot)) await refuseIfLive(runRoot, undefined);
  await removeCheck(runRoot);
  const restore = remembered([join(gitDirectory, "info", "exclude"), join(gitDirectory, "coppice-tree.lock")]);
  const ideas = join(runs, "ideas");
  try {
    mkdirSync(ideas, { recursive: true });
    writeFileSync(join(ideas, "pretended.md"), "A pretended idea: it adds a file that nobody reads.\n");
    const failures: (readonly string[])[] = [];
    const prepared = prepareNewTree(trial(chosen, wishes.agent, ideas));
    const { end } = await runToEnd(
      prepared,
      { runs, id: NAME },
      {
        onRun: (run) => {
          run.subscribe((event) => {
            // Once is enough to see, also of what a tree measures several times.
            if (event.type === "completed" && event.key.startsWith("eval/")) run.interrupt(CHECKED);
            if (event.type !== "failed" || event.willRetry) return;
            const { search } = prepared;
            // The log it would name is gone when it is read.
            const lines = failureLines(event, runRoot, { treeRunId: NAME, search: search as never });
            failures.push(lines.filter((line) => !line.includes(runRoot)));
          });
          wishes.onRun?.(run);
        },
      },
    );
    if (end.state !== "done" && end.message !== CHECKED && failures.length === 0) failures.push([end.message]);
    return found(chosen, wishes.agent, runRoot, failures[0] ?? null);
  } finally {
    await removeCheck(runRoot);
    for (const folder of [dirname(runs), join(gitDirectory, "worktrees")]) removeIfEmpty(folder);
    restore();
  }
}

/** The tree that is grown to see: one idea, the agent's part pretended unless it is to be asked. */
function trial(chosen: ChosenTree, agent: boolean, ideas: string): ChosenTree {
  const { config } = chosen;
  const pretended = {
    // Forced: a repository may ignore everything that it does not name.
    implement: {
      command: "echo pretended > coppice-check && git add --force coppice-check",
      timeoutMs: null,
      environment: {},
    },
    review: null,
  };
  return {
    ...chosen,
    config: agent
      ? config
      : { ...config, ideas: { kind: "folder", path: ideas }, steps: { ...config.steps, ...pretended } },
    shape: { ...chosen.shape, ideasPerNode: 1, repeats: chosen.shape.repeats === "auto" ? "auto" : 1 },
    work: {
      ...chosen.work,
      maxDepth: 1,
      maxTotalIdeaEvals: 1,
      maxParallelEvals: 1,
      evalRetries: 0,
      promoteOnStop: false,
    },
  };
}

function found(chosen: ChosenTree, agent: boolean, runRoot: string, problem: readonly string[] | null): TreeCheck {
  const { search } = readTree(runRoot);
  const times = [
    { of: "root", path: layout.stepTimes(ROOT_ID) },
    { of: "root", path: `${layout.nodeLogs(ROOT_ID)}/steps.ndjson` },
    { of: "root", path: `${layout.ideasLogs(ROOT_ID)}/steps.ndjson` },
    { of: "idea", path: layout.stepTimes("0001") },
  ] as const;
  const steps = times
    .flatMap(({ of, path }) => stepsIn(join(runRoot, path), of))
    .sort((a, b) => a.startedAt - b.startedAt)
    .map(({ startedAt, ...step }): CheckedStep => step);
  const looked = steps.filter(({ of, step }) => of === "root" && step === "sweep").length > 1;
  const repeats = search.shapeOf(0).repeats === 1 ? chosen.shape.repeats : search.shapeOf(0).repeats;
  return {
    problem,
    steps,
    agent,
    looked,
    noise: search.noise() ?? null,
    remarks: [...remarksBeforehand(chosen), ...(agent ? pricesNotFound(chosen, steps) : [])],
    full: problem === null ? fullRun(chosen, steps, repeats === "auto" ? 1 : repeats) : null,
  };
}

interface StepTime {
  readonly step: string;
  readonly startedAt: number;
  readonly ms: number;
  readonly cost?: Cost;
}

function stepsIn(path: string, of: CheckedStep["of"]): (CheckedStep & { readonly startedAt: number })[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    // Cast: written by the pipeline.
    const { step, startedAt, ms, cost } = JSON.parse(line) as StepTime;
    return { of, step, startedAt, seconds: ms / 1000, cost: cost ?? NO_COST };
  });
}

/** Removes what a check has made, also one that was killed. */
async function removeCheck(runRoot: string): Promise<void> {
  if (existsSync(join(runRoot, "run.json"))) await cleanTree(openTree(runRoot), true);
  rmSync(dirname(runRoot), { recursive: true, force: true });
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Files as they are; returns how to have them so again. */
function remembered(paths: readonly string[]): () => void {
  const before = paths.map((path) => (existsSync(path) ? readFileSync(path) : undefined));
  return () => {
    for (const [index, path] of paths.entries()) {
      const bytes = before[index];
      if (bytes === undefined) rmSync(path, { force: true });
      else if (!readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
    }
  };
}
