import { existsSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_NAME, type JournalEntry, type LinesRead, readJournal } from "@coppice/engine/records";
import { decode } from "@coppice/engine/values";
import type { Cost, EvaluationResult, FailureData, StepCosts, TreeOutcome, TreeValue } from "../contract.ts";
import { parseKey } from "../search/task-key.ts";
import type { EvaluationState } from "../search/tree-state.ts";
import { addCost, addCosts, NO_COST } from "../steps/reported-cost.ts";
import {
  newTrack,
  noteCompleted,
  noteFailed,
  noteStarted,
  requeue,
  type TaskEvent,
  type TaskTrack,
} from "./task-track.ts";

/** How a session ended, or that it has not. */
export type SessionEnd = Extract<
  JournalEntry,
  { type: "run"; event: "finished" | "stopped" | "interrupted" | "error" }
>;

/** What something cost, and which of its steps how much. */
export interface Spent {
  readonly cost: Cost;
  readonly costs: StepCosts;
}

interface Session {
  readonly openedAt: number;
  lastAt: number;
}

/**
 * The journal of a tree, folded: what became of each task, when, by whom, at what cost. Reads on where it stopped
 * reading, so that following a run costs what is new and not what there is.
 */
export class TreeJournal {
  readonly #path: string;
  readonly #listen: (event: TaskEvent) => void;
  #size: LinesRead | undefined;
  readonly #keys: string[] = [];
  readonly tasks = new Map<string, TaskTrack>();
  readonly #sessions: Session[] = [];
  readonly takeovers: { readonly at: number; readonly from: string }[] = [];
  /** What steps said they spent, failed attempts included. */
  money = 0;
  tokens = 0;
  /** The same by depth, by evaluation with its repeats, and by step. */
  readonly byDepth = new Map<number, Cost>();
  readonly byEvaluation = new Map<string, Spent>();
  byStep: StepCosts = {};
  /** The most that one evaluation has cost so far. */
  dearest: Cost = { money: 0, tokens: 0 };
  evaluationsAsked = 0;
  /** Depths whose ideas were asked for. */
  depthsAsked = 0;
  /** Depths that are behind their barrier, promotions and all. */
  depthsComplete = 0;
  end: SessionEnd | undefined;
  digest: string | undefined;

  /** `listen` is told what happened to tasks, as it is read. */
  constructor(runRoot: string, listen: (event: TaskEvent) => void = () => {}) {
    this.#path = join(runRoot, JOURNAL_NAME);
    this.#listen = listen;
  }

  /** When the run was begun; undefined while there is no line. */
  get createdAt(): number | undefined {
    return this.#sessions[0]?.openedAt;
  }

  /** When the last line was written. */
  get updatedAt(): number | undefined {
    return this.#sessions.at(-1)?.lastAt;
  }

  /** How far it has been read. */
  get bytes(): number {
    return this.#size?.goodBytes ?? 0;
  }

  get sessions(): number {
    return this.#sessions.length;
  }

  /** Time in all sessions so far, up to the last line of each. */
  get elapsedMs(): number {
    return this.#sessions.reduce((sum, { openedAt, lastAt }) => sum + (lastAt - openedAt), 0);
  }

  /** Reads what was written since the last time; nothing while there is no journal. */
  follow(): void {
    if (existsSync(this.#path)) this.#size = readJournal(this.#path, (entry) => this.#see(entry), this.#size);
  }

  /** What the search is or will be told of a task; undefined while there is nothing to tell. */
  outcome(key: string): TreeOutcome | undefined {
    const track = this.tasks.get(key);
    if (track?.final !== true) return undefined;
    if (track.value !== null) return { ok: true, value: decode(track.value) as TreeValue };
    if (track.error === null) return undefined;
    return { ok: false, failure: { type: track.error.type, message: track.error.message } };
  }

  #see(entry: JournalEntry): void {
    if (entry.type === "run") {
      this.#seeRun(entry);
      return;
    }
    const session = this.#sessions.at(-1);
    if (session !== undefined) session.lastAt = entry.at;
    switch (entry.type) {
      case "queued":
        for (const [index, [key]] of entry.tasks.entries()) this.#queue(entry.ask + index, key, entry.at);
        return;
      case "started":
        for (const ask of entry.asks) this.#listen(noteStarted(this.#track(ask), entry));
        return;
      case "completed":
        this.#listen(noteCompleted(this.#track(entry.ask), entry));
        this.#count(entry.key, entry.value);
        return;
      case "failed":
        this.#spend((entry.detail.data ?? {}) as Partial<FailureData>, entry.key);
        for (const event of noteFailed(this.#track(entry.ask), entry)) this.#listen(event);
        if (entry.outcome) this.#passBarrier(entry.key);
        return;
      case "requeued":
      case "cancelled": {
        const track = this.#track(entry.ask);
        const reason = entry.type === "requeued" ? entry.reason : `the run was ${entry.reason}`;
        if (track.state === "running") this.#listen(requeue(track, entry.at, reason));
        return;
      }
      default:
        entry satisfies never;
    }
  }

  #seeRun(entry: Extract<JournalEntry, { type: "run" }>): void {
    if (entry.event === "opened") {
      if (this.#sessions.length > 0) this.#requeueStopped(entry.at);
      this.#sessions.push({ openedAt: entry.at, lastAt: entry.at });
      this.end = undefined;
      return;
    }
    const session = this.#sessions.at(-1);
    if (session !== undefined) session.lastAt = entry.at;
    switch (entry.event) {
      case "takeover":
        this.takeovers.push({ at: entry.at, from: entry.from });
        return;
      case "finished":
        this.digest = entry.digest;
        this.end = entry;
        return;
      case "stopped":
      case "interrupted":
      case "error":
        this.end = entry;
        return;
      default:
        return;
    }
  }

  /** Failures that stopped an earlier session are tried again in this one. */
  #requeueStopped(at: number): void {
    for (const track of this.tasks.values()) {
      if (track.state === "failed" && !track.final)
        this.#listen(requeue(track, at, "resumed after the run was stopped"));
    }
  }

  #queue(ask: number, key: string, at: number): void {
    this.#keys[ask] = key;
    if (this.tasks.has(key)) return;
    this.tasks.set(key, newTrack(key, at));
    const parsed = parseKey(key);
    if (parsed.kind === "evaluation") this.evaluationsAsked++;
    if (parsed.kind === "ideas") this.depthsAsked = Math.max(this.depthsAsked, parsed.depth + 1);
    this.#listen({ at, type: "queued", key, attempt: 0, reason: null });
  }

  #track(ask: number): TaskTrack {
    const track = this.tasks.get(this.#keys[ask] ?? "");
    if (track === undefined) throw new Error(`the journal speaks of task ${ask}, which was never asked for`);
    return track;
  }

  #count(key: string, value: string): void {
    this.#passBarrier(key);
    // Not every value says what it cost; its text tells without decoding it.
    if (value.includes('"cost"')) this.#spend(JSON.parse(value) as Partial<Spent>, key);
  }

  /** Removing its candidates, done or given up, is the last thing of a depth. */
  #passBarrier(key: string): void {
    const parsed = parseKey(key);
    if (parsed.kind === "prune") this.depthsComplete = Math.max(this.depthsComplete, parsed.depth + 1);
  }

  #spend({ cost = NO_COST, costs = {} }: Partial<Spent>, key: string): void {
    const { money, tokens } = cost;
    this.money += money;
    this.tokens += tokens;
    const task = parseKey(key);
    const bySteps: StepCosts = task.kind === "ideas" ? { ideas: cost } : costs;
    if (money > 0 || tokens > 0) this.byStep = addCosts(this.byStep, bySteps);
    if (task.kind !== "root") this.byDepth.set(task.depth, addCost(this.byDepth.get(task.depth), cost));
    if (task.kind === "evaluation" || (task.kind === "repeat" && task.evalId !== null)) {
      const before = this.byEvaluation.get(task.evalId ?? "") ?? { cost: NO_COST, costs: {} };
      this.byEvaluation.set(task.evalId ?? "", {
        cost: addCost(before.cost, cost),
        costs: addCosts(before.costs, costs),
      });
    }
    if (task.kind !== "evaluation") return;
    this.dearest = { money: Math.max(this.dearest.money, money), tokens: Math.max(this.dearest.tokens, tokens) };
  }

  /** How many evaluations are under way. */
  get evaluationsRunning(): number {
    return [...this.tasks.values()].filter(({ key, state }) => state === "running" && key.startsWith("eval/")).length;
  }
}

/** What an evaluation came to, as far as the journal goes: a search that was stopped is not told what came out of turn. */
export function knownOutcome({ key, outcome }: EvaluationState, journal: TreeJournal): EvaluationState["outcome"] {
  if (outcome !== undefined) return outcome;
  const known = journal.outcome(key);
  if (known === undefined) return undefined;
  // Cast: an evaluation's key has an evaluation's value.
  return known.ok
    ? { state: "completed", result: known.value as EvaluationResult }
    : { state: "failed", ...known.failure };
}
