import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Task } from "@coppice/engine/evaluator";
import type { Cost, FailureData, StepCosts, StepEnd, StepName, TreeId, TreeNode } from "../contract.ts";
import { layout } from "../run-layout.ts";
import type { StepConfig, TreeSettings } from "../settings.ts";
import { readAnswer } from "../steps/agent-answer.ts";
import { fillIn, type PlaceholderValues, placeholdersIn, placeholderVariables } from "../steps/placeholders.ts";
import { addCost, type FailureKind, NO_COST, reportedCost, StepFailed } from "../steps/reported-cost.ts";
import { runStep, type StepOutcome } from "../steps/run-step.ts";
import type { OpenRun } from "./open-run.ts";

/** Whose steps these are and where they work and write. Paths are relative to the run's root. */
export interface PipelinePlace {
  readonly owner: string;
  /** Folder of the logs, one per step. */
  readonly logs: string;
  readonly times: string;
  readonly temp: string;
  readonly worktree: string;
  /** Limit of all steps together; null for none. */
  readonly timeoutMs: number | null;
}

/** Where the steps of an evaluation work. */
export function evaluationPlace({ work }: TreeSettings, evalId: TreeId, owner: string): PipelinePlace {
  return {
    owner,
    logs: layout.evaluationLogs(evalId),
    times: layout.stepTimes(evalId),
    temp: layout.evaluationTemp(evalId),
    worktree: layout.candidateWorktree(evalId),
    timeoutMs: work.evalTimeoutMs,
  };
}

/** Folder for what an evaluation's steps want to keep, relative to the run's root. */
export function evaluationOutput(evalId: TreeId): string {
  return `${layout.evaluation(evalId)}/output`;
}

/** Makes the folders of a place, its temporary one on record; returns what every step there is told. */
export function openPlace(
  { runRoot, repository, settings, belongings }: OpenRun,
  { owner, temp, worktree }: PipelinePlace,
  at: Pick<TreeNode, "nodeId" | "depth" | "commit"> & { readonly output: string },
): PlaceholderValues {
  belongings.claim({ kind: "folder", path: join(runRoot, temp) }, owner);
  const output = join(runRoot, at.output);
  mkdirSync(output, { recursive: true });
  const { sweepConfigLimit } = settings.shape;
  return {
    worktree: join(runRoot, worktree),
    node: at.nodeId,
    depth: String(at.depth),
    commit: at.commit,
    repository,
    output,
    ...(sweepConfigLimit !== null && { limit: String(sweepConfigLimit) }),
  };
}

type Step = StepName | "ideas";

const REPORTED_AFTER_MS = 100;

/** Runs the steps of one task, one after the other, and keeps account of them. */
export class Pipeline {
  readonly #open: OpenRun;
  readonly #place: PipelinePlace;
  readonly #task: Task;
  /** When the time of all steps together is over; what they waited for others does not count. */
  #endsAtMs: number;
  readonly #ends: StepEnd[] = [];
  /** The session that a step's program reported last: its next round may go on in it. */
  readonly #sessions = new Map<Step, string>();
  #cost: Cost = NO_COST;
  readonly #costs = new Map<Step, Cost>();

  constructor(run: OpenRun, place: PipelinePlace, task: Task) {
    this.#open = run;
    this.#place = place;
    this.#task = task;
    this.#endsAtMs = performance.now() + (place.timeoutMs ?? Number.POSITIVE_INFINITY);
    mkdirSync(join(run.runRoot, place.temp), { recursive: true });
  }

  get cost(): Cost {
    return this.#cost;
  }

  /** What was spent, and on which steps, where anything was. */
  get spent(): { readonly cost: Cost; readonly costs?: StepCosts } {
    return { cost: this.#cost, ...(this.#costs.size > 0 && { costs: Object.fromEntries(this.#costs) }) };
  }

  get ends(): readonly StepEnd[] {
    return this.#ends;
  }

  /** The session that a step's program reported last; undefined when it reported none. */
  sessionOf(step: Step): string | undefined {
    return this.#sessions.get(step);
  }

  /** Runs a step and returns what it printed; anything but a good end is thrown. */
  async run(step: Step, config: StepConfig, given: PlaceholderValues, round = 0): Promise<string> {
    const { runRoot, belongings, ledger, settings } = this.#open;
    const temp = join(runRoot, this.#place.temp);
    const usage = join(temp, "usage.json");
    const values: PlaceholderValues = { ...given, temp, usage, round: String(round) };
    this.#task.signal.throwIfAborted();
    // The time may have run out between two steps.
    if (this.#isOver()) throw this.#late(step, config.timeoutMs, { round });
    const command = this.#filled(step, round, config, values);
    const label = round === 0 ? step : `${step}, round ${round + 1}`;
    const planned = { step, states: stated(config), budget: settings.work, signal: this.#task.signal };
    const plannedAtMs = performance.now();
    const { outcome, cost, problem, said } = await ledger.account(planned, async () => {
      this.#endsAtMs += performance.now() - plannedAtMs;
      // A step that is over at once is not worth a line, and reports that follow each other too fast are not passed on.
      const shown = setTimeout(() => this.#task.report({ done: 0, total: 0, label }), REPORTED_AFTER_MS);
      const outcome = await runStep({
        label: step,
        command,
        directory: join(runRoot, this.#place.worktree),
        environment: {
          ...(this.#sessions.has(step) && { COPPICE_TREE_SESSION_ID: this.#sessions.get(step) ?? "" }),
          ...config.environment,
          ...placeholderVariables(values),
          TMPDIR: temp,
          TMP: temp,
          TEMP: temp,
        },
        logPath: join(runRoot, this.#place.logs, `${step}.log`),
        signal: AbortSignal.any([this.#task.signal, ...this.#limits(config.timeoutMs)]),
        belongings,
        owner: this.#place.owner,
      }).finally(() => clearTimeout(shown));
      const { cost, problem } = reportedCost(usage, outcome.stdout);
      const complaint = outcome.exitCode === 0 ? undefined : outcome.stderr;
      const said = config.answer === undefined ? undefined : readAnswer(outcome.stdout, config.answer, complaint);
      const failed = outcome.exitCode !== 0 || said?.error !== undefined;
      return { outcome, cost: said === undefined ? cost : addCost(cost, said.cost), failed, problem, said };
    });
    this.#account(step, round, outcome, cost);
    this.#judge(step, round, outcome, config.timeoutMs, said?.error);
    if (said?.session !== undefined) this.#sessions.set(step, said.session);
    if (said?.error !== undefined) {
      const data = { round, exitCode: outcome.exitCode, logTail: outcome.tail };
      throw this.failed("StepFailed", `${step} ended well, but: ${said.error.slice(0, 500)}`, step, data);
    }
    if (problem !== undefined) {
      const message = `what ${step} wrote to {usage} is not like {"money": 0.12, "tokens": 3400}`;
      throw this.failed("StepFailed", message, step, { round, logTail: [problem.slice(0, 200)] });
    }
    return said?.reply ?? outcome.stdout;
  }

  /** Trouble between two steps, with what had been spent before it. */
  charged(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof StepFailed) return error;
    return Object.assign(error, { data: this.failed("StepFailed", error.message, "worktree").data });
  }

  /** An error of ours as the failure of a step. */
  failed(kind: FailureKind, message: string, step: FailureData["step"], data: Partial<FailureData> = {}): StepFailed {
    return new StepFailed(kind, message, { step, ...this.spent, ...data });
  }

  #filled(step: Step, round: number, { command }: StepConfig, values: PlaceholderValues) {
    try {
      return fillIn(command, values);
    } catch (error) {
      throw this.failed("StepFailed", `${step}: ${error instanceof Error ? error.message : error}`, step, { round });
    }
  }

  #account(step: Step, round: number, outcome: StepOutcome, cost: Cost): void {
    this.#cost = addCost(this.#cost, cost);
    if (cost.money > 0 || cost.tokens > 0) this.#costs.set(step, addCost(this.#costs.get(step) ?? NO_COST, cost));
    const { exitCode, signal, pid, pidStart, startedAt, ms, leftBehind } = outcome;
    const { attempt } = this.#task;
    const line = {
      step,
      round,
      attempt,
      pid,
      pidStart,
      startedAt,
      ms: Math.round(ms),
      exitCode,
      signal,
      leftBehind,
      cost,
    };
    const path = join(this.#open.runRoot, this.#place.times);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, `${JSON.stringify(line)}\n`);
    if (leftBehind > 0) this.#task.log(`${step} left ${leftBehind} processes behind; they have been ended`);
    if (step !== "ideas" && exitCode !== null) this.#ends.push({ step, round, exitCode });
  }

  #judge(step: Step, round: number, outcome: StepOutcome, stepLimitMs: number | null, error: string | undefined): void {
    const { exitCode, signal, tail, errorTail, unstartable, wasEnded, outOfMemory } = outcome;
    const data = { round, exitCode, signal, logTail: tail, errorTail, ...(outOfMemory && { outOfMemory }) };
    if (unstartable !== undefined) throw this.failed("StepFailed", `${step}: ${unstartable}`, step, data);
    // Nobody wants the outcome any more: what is thrown here is not one.
    this.#task.signal.throwIfAborted();
    if (wasEnded) throw this.#late(step, stepLimitMs, data);
    if (exitCode === 0) return;
    const how = signal === null ? `ended with exit code ${exitCode}${meaning(exitCode)}` : `was ended by ${signal}`;
    throw this.failed(
      "StepFailed",
      `${step} ${how}${error === undefined ? "" : `: ${error.slice(0, 500)}`}`,
      step,
      data,
    );
  }

  #isOver(): boolean {
    return performance.now() >= this.#endsAtMs;
  }

  /** Of a step that begins now: its own time, and what is left of the time of all. */
  #limits(stepLimitMs: number | null): readonly AbortSignal[] {
    const limits = [stepLimitMs, this.#place.timeoutMs === null ? null : this.#endsAtMs - performance.now()];
    return limits.flatMap((ms) => (ms === null ? [] : [AbortSignal.timeout(Math.max(0, Math.ceil(ms)))]));
  }

  #late(step: Step, stepLimitMs: number | null, data: Partial<FailureData>): StepFailed {
    const [what, limitMs, where] = this.#isOver()
      ? ["the evaluation", this.#place.timeoutMs, ` in ${step}`]
      : [step, stepLimitMs, ""];
    const message = `${what} took longer than its ${(limitMs ?? 0) / 1000} s and was ended${where}`;
    return this.failed("TimeoutError", message, step, data);
  }
}

/** What a step says of what it costs. */
function stated({ command, answer }: StepConfig): readonly (keyof Cost)[] {
  const written = placeholdersIn(command).includes("usage");
  return (["money", "tokens"] as const).filter((kind) => written || answer?.[kind] !== undefined);
}

/** What a shell means by its own exit codes. */
function meaning(exitCode: number | null): string {
  if (exitCode === 127) return " (command not found)";
  return exitCode === 126 ? " (command not executable)" : "";
}
