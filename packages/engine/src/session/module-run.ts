import { existsSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunDefinition, RunGiven, RunOption } from "../contract/run-module.ts";
import type { RunFile } from "../run-directory/run-file.ts";
import { UsageError } from "../usage-error.ts";
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
  readonly options: Options;
}

/** Imports a user's module and checks that its default export is a run; says in one line what is wrong with it. */
export async function loadModule(given: string): Promise<LoadedModule> {
  const path = resolve(given);
  if (!existsSync(path)) throw new UsageError(`there is no module ${given}`);
  if (!statSync(path).isFile()) throw new UsageError(`${given} is a directory, not a module: name its file`);
  const url = pathToFileURL(path);
  let exports: { default?: unknown };
  try {
    exports = await import(url.href);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
    throw new UsageError(`${given} cannot be loaded: ${name}: ${message.trim().split("\n")[0]}`, { cause: error });
  }
  const run = exports.default;
  if (!isRun(run)) {
    throw new UsageError(
      `${given} has no run: write "export default defineRun({ search: …, evaluator: … })", with defineRun from @coppice/engine`,
    );
  }
  if (run.evaluator === undefined && run.evaluate === undefined) {
    throw new UsageError(`${given} has no evaluator: give its run "evaluator" (a module) or "evaluate" (a function)`);
  }
  return { path, url, run };
}

function isRun(value: unknown): value is LoadedModule["run"] {
  if (typeof value !== "object" || value === null) return false;
  const { search, evaluator, evaluate, context, describe, options } = value as Record<string, unknown>;
  return (
    typeof search === "function" &&
    (evaluator === undefined || typeof evaluator === "string" || evaluator instanceof URL) &&
    [evaluate, context, describe].every((each) => each === undefined || typeof each === "function") &&
    (options === undefined || (typeof options === "object" && options !== null))
  );
}

/** Prepares a module's run for a seed and options; what the module itself throws is said in one line. */
export async function prepareModule({ path, url, run }: LoadedModule, given: RunGiven<Options>): Promise<PreparedRun> {
  const ask = async <Answer>(what: string, answer: () => Answer | Promise<Answer>): Promise<Answer> => {
    try {
      return await answer();
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
  const { lookahead, retries, timeoutMs, onFailure, describe } = run;
  return {
    tool: "run",
    record: (directory) => recordOf(path, directory, given.options),
    shape: {
      ...(lookahead === undefined ? {} : { lookahead }),
      ...(retries === undefined ? {} : { retries }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(onFailure === undefined ? {} : { onFailure }),
    },
    search,
    evaluator: run.evaluator === undefined ? url : new URL(run.evaluator, url),
    ...(context === undefined ? {} : { context }),
    ...(describe === undefined ? {} : { describe }),
  };
}

/** Prepares a recorded run of a user's module again. */
export async function prepareRecordedModule(file: RunFile, directory: string): Promise<PreparedRun> {
  const record = file.options as Partial<ModuleRecord> | null;
  if (typeof record?.module !== "string" || typeof record.options !== "object") {
    throw new UsageError(`run ${file.id}: its run.json does not say which module it came from`);
  }
  const module = await loadModule(resolve(directory, record.module));
  return prepareModule(module, { seed: file.seed, options: record.options });
}

function recordOf(path: string, directory: string, options: Options): ModuleRecord {
  const place = relative(resolve(directory), path);
  return { module: isAbsolute(place) ? place : place.replaceAll("\\", "/"), options };
}
