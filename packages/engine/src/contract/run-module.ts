import type { CommandOptions } from "../command/command-evaluator.ts";
import type { Evaluator } from "./evaluator.ts";
import { madeHere } from "./made-with.ts";
import type { Search } from "./search.ts";

/** An option of a run module as people type it: a text, a number, or yes and no. */
export type RunOption = string | number | boolean;

/** What a run is started with, besides its module. */
export interface RunGiven<Options> {
  readonly seed: number;
  readonly options: Options;
}

/**
 * A search and its evaluator, as `coppice run <module>` wants them: the module's default export. The evaluator is a
 * module of its own (`evaluator`), this one (`evaluate`, with `setup` and `teardown` if it needs them) or a program in any
 * language (`command`, here or as `--command`).
 */
export interface RunDefinition<Options, Candidate, Value, Result, Context, State>
  extends Partial<Evaluator<Context, State, Candidate, Value>> {
  /** Names and defaults of the options; `--option points=9` must have the type of the default. */
  readonly options?: Options;
  /** Called for every start, resume and verification: the same seed and options must give the same search. */
  readonly search: (
    given: RunGiven<Options>,
  ) => Search<Candidate, Value, Result> | Promise<Search<Candidate, Value, Result>>;
  /** The evaluator's module; a text is a path relative to this module. */
  readonly evaluator?: URL | string;
  /** The program that evaluates; it runs in this module's folder unless it says `cwd`. */
  readonly command?: CommandOptions;
  /** What the evaluator's `setup` is given, or a command finds in COPPICE_CONTEXT; small and serialisable. */
  readonly context?: (given: RunGiven<Options>) => Context | Promise<Context>;
  /** Defaults of the run, where they should differ from the engine's. */
  readonly lookahead?: number;
  readonly retries?: number;
  readonly timeoutMs?: number;
  readonly onFailure?: "continue" | "stop";
  /** The result as text for people; otherwise it is printed as JSON. */
  readonly describe?: (result: Result) => string;
}

/** Gives a run module's default export its types. */
export function defineRun<
  Candidate,
  Value,
  Result,
  Context = undefined,
  State = undefined,
  Options extends Readonly<Record<string, RunOption>> = Readonly<Record<string, never>>,
>(
  run: RunDefinition<Options, Candidate, Value, Result, Context, State>,
): RunDefinition<Options, Candidate, Value, Result, Context, State> {
  return madeHere(run);
}
