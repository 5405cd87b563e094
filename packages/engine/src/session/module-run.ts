import { existsSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type CommandOptions, commandEvaluator } from "../command/command-evaluator.ts";
import { madeElsewhere } from "../contract/made-with.ts";
import type { RunDefinition, RunGiven, RunOption } from "../contract/run-module.ts";
import { onlyGiven } from "../only-given.ts";
import type { RunFile } from "../run-directory/run-file.ts";
import { UsageError } from "../usage-error.ts";
import { loadFailure } from "../worker/load-evaluator.ts";
import { type CommandRecord, commandRecord, recordedCommand } from "./command-record.ts";
import type { PreparedRun } from "./prepared-run.ts";

type Options = Readonly<Record<string, RunOption>>;

/** A run module whose shape has been checked; its types are its own affair. */
export interface LoadedModule {
  readonly path: string;
  readonly url: URL;
  readonly run: RunDefinition<Options, unknown, unknown, unknown, unknown, unknown>;
}

/** What `run.json` keeps of a module's run. */
interface ModuleRecord {
  /** Relative to the run's directory, so that a project can be moved as a whole. */
  readonly module: string;
  /** Relative to where the run was started, so that its directory can be moved alone; older records have none. */
  readonly fromHere?: string;
  readonly options: Options;
  /** What evaluates, if that was not the module's to say. */
  readonly command?: CommandRecord;
}

/** Imports a user's module and checks that its default export is a run; says in one line what is wrong with it. */
export async function loadModule(given: string): Promise<LoadedModule> {
  const path = resolve(given);
  if (!existsSync(path)) throw new UsageError(`there is no module ${given}`);
  if (!statSync(path).isFile()) throw new UsageError(`${given} is a directory, not a module: name its file`);
  const url = pathToFileURL(path);
  let exports: { default?: unknown };
  try {
    exports = await unlessIdle(
      import(url.href),
      `${given} never finishes loading: it awaits what can no longer happen`,
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${given} cannot be loaded: ${loadFailure(error, path)}`, { cause: error });
  }
  const run = exports.default;
  if (!isRun(run)) {
    throw new UsageError(
      `${given} has no run: write "export default defineRun({ search: …, evaluator: … })", with defineRun from @coppice/engine`,
    );
  }
  const elsewhere = madeElsewhere(run);
  if (elsewhere !== undefined) throw new UsageError(`${given} ${elsewhere}`);
  return { path, url, run };
}

/** What is promised, or an error when the process has nothing left to do and would end without a word. */
async function unlessIdle<Value>(promised: Promise<Value>, otherwise: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onIdle = () => reject(new UsageError(otherwise));
  process.once("beforeExit", onIdle);
  try {
    return await Promise.race([promised, promise]);
  } finally {
    process.off("beforeExit", onIdle);
  }
}

function isRun(value: unknown): value is LoadedModule["run"] {
  if (typeof value !== "object" || value === null) return false;
  const { search, evaluator, evaluate, command, context, describe, options } = value as Record<string, unknown>;
  return (
    typeof search === "function" &&
    (evaluator === undefined || typeof evaluator === "string" || evaluator instanceof URL) &&
    (command === undefined || (typeof command === "object" && command !== null)) &&
    [evaluate, context, describe].every((each) => each === undefined || typeof each === "function") &&
    (options === undefined || (typeof options === "object" && options !== null))
  );
}

/**
 * Prepares a module's run for a seed and options, evaluated by a command if one is given; what the module itself throws is
 * said in one line.
 */
export async function prepareModule(
  { path, url, run }: LoadedModule,
  given: RunGiven<Options>,
  command?: CommandOptions,
): Promise<PreparedRun> {
  const ask = async <Answer>(what: string, answer: () => Answer | Promise<Answer>): Promise<Answer> => {
    try {
      return await unlessIdle(
        Promise.resolve(answer()),
        `${path}: its ${what}() never answers: it awaits what can no longer happen`,
      );
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      throw new UsageError(`${path}: its ${what}() threw ${reason}`, { cause: error });
    }
  };
  const search = await ask("search", () => run.search(given));
  for (const method of ["ask", "tell", "result"] as const) {
    if (typeof search?.[method] !== "function") {
      throw new UsageError(`${path}: its search() did not return a search: ${method}() is missing`);
    }
  }
  const context = await ask("context", () => run.context?.(given));
  const own = run.command === undefined ? undefined : { cwd: dirname(path), ...run.command };
  const evaluated = command ?? own;
  const { lookahead, retries, timeoutMs, onFailure, describe } = run;
  return {
    tool: "run",
    record: (directory) => ({
      ...recordOf(path, directory, given.options),
      ...(command === undefined ? {} : { command: commandRecord(command, directory) }),
    }),
    shape: onlyGiven({ lookahead, retries, timeoutMs, onFailure }),
    search,
    ...(evaluated === undefined
      ? { evaluator: moduleOf(path, url, run), ...(context === undefined ? {} : { context }) }
      : commandEvaluator({ ...evaluated, context })),
    ...(describe === undefined ? {} : { describe }),
  };
}

function moduleOf(path: string, url: URL, { evaluator, evaluate }: LoadedModule["run"]): URL {
  if (evaluator !== undefined) return new URL(evaluator, url);
  if (evaluate !== undefined) return url;
  throw new UsageError(
    `${path} has no evaluator: give its run "evaluator" (a module), "evaluate" (a function) or "command" (a program), or run it with --command`,
  );
}

/** Prepares a recorded run of a user's module again; `moved` is where the module is now, if that was said. */
export async function prepareRecordedModule(file: RunFile, directory: string, moved?: string): Promise<PreparedRun> {
  const record = file.options as Partial<ModuleRecord> | null;
  if (typeof record?.module !== "string" || typeof record.options !== "object" || record.options === null) {
    throw new UsageError(`run ${file.id}: its run.json does not say which module it came from`);
  }
  const module = await loadModule(moved ?? findModule(file, directory, { ...record, module: record.module }));
  checkOptions(file, record.options, module.run.options ?? {});
  const command = record.command === undefined ? undefined : recordedCommand(record.command, directory);
  return prepareModule(module, { seed: file.seed, options: record.options }, command);
}

/** The module where it was as seen from the run, from here, or at all. */
function findModule(
  file: RunFile,
  directory: string,
  { module, fromHere }: Partial<ModuleRecord> & { module: string },
): string {
  const places = [resolve(directory, module)];
  if (fromHere !== undefined) places.push(resolve(fromHere));
  const evaluator = fileURLToPath(file.evaluator.url);
  if (basename(evaluator) === basename(module)) places.push(evaluator);
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  const looked = [...new Set(places)].join(" or at ");
  throw new UsageError(
    `run ${file.id} has no module any more: it is not at ${looked}; say where it is now with --module <file>`,
  );
}

/** A search that is given an option it does not know, or lacks one, may never end: such a record is damaged. */
function checkOptions(file: RunFile, recorded: Options, known: Options): void {
  const wrong = [...new Set([...Object.keys(recorded), ...Object.keys(known)])].find(
    (name) =>
      !Object.hasOwn(recorded, name) || !Object.hasOwn(known, name) || typeof recorded[name] !== typeof known[name],
  );
  if (wrong === undefined) return;
  const has = Object.keys(known).join(", ") || "none";
  throw new UsageError(
    `run ${file.id}: its run.json and its module differ in the option ${JSON.stringify(wrong)} (the module has ${has})`,
  );
}

function recordOf(path: string, directory: string, options: Options): ModuleRecord {
  const seenFrom = (place: string) => {
    const seen = relative(resolve(place), path);
    return isAbsolute(seen) ? seen : seen.replaceAll("\\", "/");
  };
  return { module: seenFrom(directory), fromHere: seenFrom("."), options };
}
