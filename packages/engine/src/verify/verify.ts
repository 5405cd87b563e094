import { changedCode, recordedCode } from "../code-version/changed-code.ts";
import type { Reproducible } from "../contract/event.ts";
import { failureType, type Outcome } from "../contract/outcome.ts";
import type { PoolFactory } from "../contract/pool.ts";
import type { Proposal, Search } from "../contract/search.ts";
import { beginning } from "../display/printable.ts";
import { OutcomeBook } from "../driver/outcome-book.ts";
import { moduleUrl, start } from "../driver/start.ts";
import { type History, readHistory } from "../journal/history.ts";
import { knownFrom } from "../journal/reproducible.ts";
import { onlyGiven } from "../only-given.ts";
import { journalIn } from "../run-directory/open-run.ts";
import { resultProblem } from "../run-directory/result-check.ts";
import { type ResultFile, readResultFile } from "../run-directory/result-file.ts";
import { JOURNAL_NAME, type RunFile, readRunFile } from "../run-directory/run-file.ts";
import { UsageError } from "../usage-error.ts";
import { withoutAsides } from "../values/aside.ts";
import { decode, encode } from "../values/encode.ts";
import { type Replay, replay } from "./replay.ts";
import { digestOf } from "./told.ts";

/** The run to verify, as its tool prepares it, and how much to evaluate again. */
export interface VerifyOptions {
  readonly directory: string;
  /** The run's search, rebuilt by its tool. */
  readonly search: Search<unknown, unknown, unknown>;
  readonly evaluator: URL | string;
  readonly evaluatorFiles?: readonly string[];
  readonly evaluatorFolders?: readonly string[];
  readonly shared?: Readonly<Record<string, SharedArrayBuffer>>;
  readonly pool?: PoolFactory;
  /** What makes evaluations differ each time: none is done again then. */
  readonly impure?: string;
  /** How many evaluations to do again; `all` for every one. */
  readonly sample: number | "all";
}

/** Whether a run can be repeated, and what was done to find out. */
export interface Verification {
  readonly reproducible: boolean;
  /** What is wrong, worst first; empty when reproducible. */
  readonly problems: readonly Problem[];
  readonly digest: string;
  readonly tells: number;
  /** Whether the journal covers the search to its end. */
  readonly complete: boolean;
  /** D4: what the run can be repeated from. */
  readonly from: Reproducible;
  readonly reevaluated: number;
  readonly outcomes: number;
  readonly notes: readonly string[];
}

/** Something about a run that does not repeat. */
export interface Problem {
  readonly what: "evaluation" | "replay" | "digest" | "result";
  /** The task it concerns, where one can be named. */
  readonly ask: number | undefined;
  readonly key: string | undefined;
  readonly message: string;
}

/** Replays a run against its journal and evaluates a sample of it again (D5). Writes nothing. */
export async function verifyRun(options: VerifyOptions): Promise<Verification> {
  const file = readRunFile(options.directory);
  const path = journalIn(options.directory);
  const history = readHistory(path);
  const book = new OutcomeBook(history, path);
  try {
    const recomputed = digestOf(history, (key) => book.get(key)?.encoded ?? "");
    const replayed = await replay(options.search, file.lookahead, history, book, options.impure);
    const again = await evaluateAgain(options, file, replayed, history, book);
    const problems = [
      ...again.problems,
      ...replayProblems(replayed),
      ...digestProblems(history, recomputed.digest, replayed),
      ...resultProblems(options, replayed),
    ];
    return {
      reproducible: problems.length === 0,
      problems,
      digest: recomputed.digest,
      tells: recomputed.tells,
      complete: history.end?.event === "finished",
      from: replayed.end.state === "done" ? replayed.end.reproducible : knownFrom(options.impure, history),
      reevaluated: again.count,
      outcomes: history.successes.size + history.failures.size,
      notes: [...nodeNotes(file), ...codeNotes(file, history, options)],
    };
  } finally {
    book.close();
  }
}

function nodeNotes({ versions: { node } }: RunFile): string[] {
  if (node === process.versions.node) return [];
  return [`recorded with Node ${node}, verified with ${process.versions.node}: numbers may differ in the last digit`];
}

function codeNotes(file: RunFile, { changes }: History, { evaluator, evaluatorFiles }: VerifyOptions): string[] {
  const last = changes.at(-1);
  const is = recordedCode(moduleUrl(evaluator), evaluatorFiles);
  const what = changedCode(last?.evaluator ?? file.evaluator, is);
  const notes = what === undefined ? [] : [`the evaluator is different code than the run's (${what})`];
  const older = last?.older.size ?? 0;
  if (older > 0) notes.push(`${older} outcomes are of code from before a change (${last?.what}): not evaluated again`);
  return notes;
}

function replayProblems(replayed: Replay): Problem[] {
  if (replayed.error === undefined) return [];
  const ask = "ask" in replayed.error && typeof replayed.error.ask === "number" ? replayed.error.ask : undefined;
  return [{ what: "replay", ask, key: undefined, message: replayed.error.message }];
}

function digestProblems(history: History, recomputed: string, replayed: Replay): Problem[] {
  const problem = (message: string): Problem => ({ what: "digest", ask: undefined, key: undefined, message });
  if (history.end?.event !== "finished") return [];
  if (history.end.digest !== recomputed) {
    return [problem(`the journal's outcomes give digest ${recomputed}, but the run ended with ${history.end.digest}`)];
  }
  if (replayed.error === undefined && replayed.end.state === "interrupted") {
    return [problem("the run is recorded as finished, but its search wants more than the journal has")];
  }
  return [];
}

/** Whether `result.json` came from this journal, and says what the search makes of it. */
function resultProblems({ directory, search }: VerifyOptions, replayed: Replay): Problem[] {
  const problem = (message: string): Problem[] => [{ what: "result", ask: undefined, key: undefined, message }];
  let result: ResultFile | undefined;
  try {
    result = readResultFile(directory);
  } catch (error) {
    if (error instanceof UsageError) return problem(error.message);
    throw error;
  }
  if (result === undefined) return [];
  const found = resultProblem(directory, JOURNAL_NAME, result, "whole");
  if (found !== undefined) return problem(found.message);
  if (replayed.end.state !== "done" || encode(search.result()) === encode(result.result)) return [];
  return problem(`${directory}/result.json is not what the search makes of the journal: both were changed`);
}

async function evaluateAgain(
  options: VerifyOptions,
  file: RunFile,
  replayed: Replay,
  history: History,
  book: OutcomeBook,
): Promise<{ readonly problems: Problem[]; readonly count: number }> {
  if (options.impure !== undefined) return { problems: [], count: 0 };
  const older = history.changes.at(-1)?.older ?? new Set();
  const checkable = [...replayed.candidates]
    .filter(([key]) => !older.has(key))
    .filter(([key]) => history.successes.has(key) || isEvaluatorsOwn(book.get(key)))
    .filter(([key]) => !metClock(options.search, book.get(key)))
    .map(([key, asked]) => ({ key, ...asked }));
  const chosen = options.sample === "all" ? checkable : evenly(checkable, options.sample);
  if (chosen.length === 0) return { problems: [], count: 0 };
  const { evaluatorFiles, evaluatorFolders, pool, shared } = options;
  const run = await start({
    search: new CheckAgain(chosen, book),
    evaluator: options.evaluator,
    context: decode(file.context),
    seed: file.seed,
    retries: file.retries,
    maxValueBytes: file.maxValueBytes,
    ...onlyGiven({ evaluatorFiles, evaluatorFolders, pool, shared }),
  });
  const { result } = await run.finished;
  return { problems: result, count: chosen.length };
}

/** Timeouts and lost workers say something about a machine, not about the evaluator: they are not tried again. */
function isEvaluatorsOwn(outcome: { readonly ok: boolean; readonly encoded: string } | undefined): boolean {
  if (outcome === undefined) return false;
  const { type } = decode(outcome.encoded) as { type: string };
  return type !== failureType.timeout && type !== failureType.workerLost;
}

function metClock(
  search: Search<unknown, unknown, unknown>,
  outcome: { readonly ok: boolean; readonly encoded: string } | undefined,
): boolean {
  return outcome?.ok === true && search.metClock?.(decode(outcome.encoded)) !== undefined;
}

function evenly<Item>(items: readonly Item[], count: number): Item[] {
  if (count >= items.length) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] as Item);
}

interface Checked {
  readonly key: string;
  readonly ask: number;
  readonly candidate: string;
}

const LONGEST_SHOWN = 120;

/** Evaluates recorded candidates again and lists those whose outcome is another one. */
class CheckAgain implements Search<unknown, unknown, Problem[]> {
  readonly #tasks: readonly Checked[];
  readonly #book: OutcomeBook;
  readonly #problems: Problem[] = [];
  #next = 0;
  #told = 0;

  constructor(tasks: readonly Checked[], book: OutcomeBook) {
    this.#tasks = tasks;
    this.#book = book;
  }

  ask(): Proposal<unknown> {
    const task = this.#tasks[this.#next];
    if (task === undefined) return this.#told < this.#next ? { kind: "wait" } : { kind: "done" };
    this.#next++;
    return { kind: "candidate", candidate: decode(task.candidate), key: task.key };
  }

  tell(outcome: Outcome<unknown>, index: number): void {
    this.#told++;
    const task = this.#tasks[index];
    if (task === undefined) return;
    const now = encode(outcome.ok ? outcome.value : outcome.failure);
    const then = this.#book.get(task.key);
    if (then?.ok === outcome.ok && withoutAsides(then.encoded) === withoutAsides(now)) return;
    this.#problems.push({
      what: "evaluation",
      ask: task.ask,
      key: task.key,
      message: `task ${task.ask} (key ${JSON.stringify(task.key)}) is recorded with outcome ${beginning(then?.encoded ?? "none", LONGEST_SHOWN)}, evaluating it again gives ${beginning(now, LONGEST_SHOWN)}`,
    });
  }

  result(): Problem[] {
    return this.#problems;
  }
}
