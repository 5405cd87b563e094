import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type RunDefinition, type RunOption, UsageError } from "@coppice/engine";

type Options = Readonly<Record<string, RunOption>>;

/** A run module whose shape has been checked; its types are its own affair. */
export interface LoadedModule {
  readonly path: string;
  readonly url: URL;
  readonly run: RunDefinition<Options, unknown, unknown, unknown, unknown, unknown>;
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
