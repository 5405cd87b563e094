import { type PreparedRun, type RunGiven, type RunOption, UsageError } from "@coppice/engine";
import type { LoadedModule } from "./load-module.ts";
import { moduleRecord } from "./module-record.ts";

/** Prepares a module's run for a seed and options; what the module itself throws is said in one line. */
export async function planModule(
  { path, url, run }: LoadedModule,
  given: RunGiven<Readonly<Record<string, RunOption>>>,
): Promise<PreparedRun> {
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
      throw new UsageError(`${path}: its search() gave no search: ${method}() is missing`);
    }
  }
  const context = await ask("context", () => run.context?.(given));
  const { lookahead, retries, timeoutMs, onFailure, describe } = run;
  return {
    tool: "run",
    record: (directory) => moduleRecord(path, directory, given.options),
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
