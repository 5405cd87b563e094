import { defineEvaluator } from "../contract/evaluator.ts";
import type { CommandContext } from "./command-evaluator.ts";
import { evaluateOnce } from "./one-process-per-task.ts";
import { OneProcessPerWorker } from "./one-process-per-worker.ts";
import { Workplace } from "./workplace.ts";

/** What every worker of a `commandEvaluator` loads; where the program runs is in this module's address. */
const cwd = new URL(import.meta.url).searchParams.get("cwd") ?? process.cwd();

interface Programs {
  readonly place: Workplace;
  /** The one that is asked task after task; without it there is one for each. */
  readonly program: OneProcessPerWorker | undefined;
}

export default defineEvaluator<CommandContext, Programs, unknown, unknown>({
  setup: (settings) => {
    const place = new Workplace(settings, cwd);
    return { place, program: settings.mode === "lines" ? new OneProcessPerWorker(place) : undefined };
  },
  evaluate: ({ place, program }, candidate, task) =>
    program?.evaluate(candidate, task) ?? evaluateOnce(place, candidate, task),
  teardown: async ({ place, program }) => {
    await program?.close();
    place.close();
  },
});
