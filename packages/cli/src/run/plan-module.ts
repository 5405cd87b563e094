import { type RunGiven, type RunOption, UsageError } from "@coppice/engine";
import type { PlannedRun } from "../tools/planned-run.ts";
import type { LoadedModule } from "./load-module.ts";

/** Prepares a module's run for a seed and options; what the module itself throws is said in one line. */
export async function planModule(
  { path, url, run }: LoadedModule,
  given: RunGiven<Readonly<Record<string, RunOption>>>,
): Promise<PlannedRun> {
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
  return {
    search,
    evaluator: run.evaluator === undefined ? url : new URL(run.evaluator, url),
    ...(context === undefined ? {} : { context }),
    ...(run.describe === undefined ? {} : { describe: run.describe }),
  };
}
