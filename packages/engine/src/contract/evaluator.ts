import { madeHere } from "./made-with.ts";

/** What an evaluation is given besides its candidate. */
export interface Task {
  /** The ask number that first wanted this key. */
  readonly id: number;
  readonly key: string;
  /** 0 for the first attempt. */
  readonly attempt: number;
  /** A function of (run seed, key), never of the attempt, worker or time. */
  readonly seed: number;
  /** Aborted when the task times out, is withdrawn or the run ends. */
  readonly signal: AbortSignal;
  /** Tells people how far this task is; never seen by the search. */
  report(progress: TaskProgress): void;
  /** Writes a line to this worker's log. */
  log(message: string): void;
}

/** How far a task is, as its evaluator says. */
export interface TaskProgress {
  readonly done: number;
  /** 0 when it is not known. */
  readonly total: number;
  readonly label?: string;
  /** What the task is called to people, where its key does not say it. */
  readonly name?: string;
  /** What is counted, in the plural (`evaluations`): displays then add up what all tasks did. */
  readonly unit?: string;
  /** Best value this task has found so far; of several tasks' the least counts, unless the goal says otherwise. */
  readonly best?: number;
  readonly goal?: "least" | "most";
}

/** What a worker may use of its machine, by name (workers of its own, megabytes). Never changes a value, so it is not recorded. */
export type Resources = Readonly<Record<string, number>>;

/** Turns a candidate into a value. Lives in a module of its own, loaded by URL in each worker. */
export interface Evaluator<Context, State, Candidate, Value> {
  /** Distinguishes cached results of different code; defaults to a hash over the module's code and all it loads. */
  readonly version?: string;
  /** Once per worker: open artifacts, build read-only tables over the run's shared arrays. */
  readonly setup?: (
    context: Context,
    shared: Readonly<Record<string, SharedArrayBuffer>>,
    resources: Resources,
  ) => State | Promise<State>;
  readonly evaluate: (state: State, candidate: Candidate, task: Task) => Value | Promise<Value>;
  /** Once per worker at graceful close. */
  readonly teardown?: (state: State) => void | Promise<void>;
}

/** Gives an evaluator module's default export its types. */
export function defineEvaluator<Context, State, Candidate, Value>(
  evaluator: Evaluator<Context, State, Candidate, Value>,
): Evaluator<Context, State, Candidate, Value> {
  return madeHere(evaluator);
}

/** What an evaluator is given, so that a search can be held to it: `Search<CandidateOf<typeof evaluator>, …>`. */
export type CandidateOf<Module> = Module extends {
  evaluate(state: never, candidate: infer Candidate, task: never): unknown;
}
  ? Candidate
  : never;

/** What an evaluator returns. */
export type ValueOf<Module> = Module extends { evaluate(state: never, candidate: never, task: never): infer Value }
  ? Awaited<Value>
  : never;

/** Where an evaluator's module is, with what it is given and returns: `start` holds a search to it. */
export type EvaluatorAt<Candidate, Value> = URL & { readonly evaluates?: (candidate: Candidate) => Value };

/**
 * The address of an evaluator's module with its types: `evaluatorAt<typeof import("./squares.ts")>(new URL("./squares.ts",
 * import.meta.url))`. TypeScript cannot see what stands behind a plain URL; this one says it.
 */
export function evaluatorAt<Module extends { readonly default: unknown }>(
  url: URL,
): EvaluatorAt<CandidateOf<Module["default"]>, ValueOf<Module["default"]>> {
  return url;
}
