import { defineEvaluator } from "../contract/evaluator.ts";
import type { CommandContext } from "./command-evaluator.ts";
import { OneProcessPerTask } from "./one-process-per-task.ts";
import { OneProcessPerWorker } from "./one-process-per-worker.ts";
import { Workplace } from "./workplace.ts";

/** What every worker of a `commandEvaluator` loads; where the program runs is in this module's address. */
const cwd = new URL(import.meta.url).searchParams.get("cwd") ?? process.cwd();

interface Programs {
  readonly place: Workplace;
  readonly program: OneProcessPerTask | OneProcessPerWorker;
}

export default defineEvaluator<CommandContext, Programs, unknown, unknown>({
  setup: (settings) => {
    const place = new Workplace(settings, cwd);
    return {
      place,
      program: settings.mode === "lines" ? new OneProcessPerWorker(place) : new OneProcessPerTask(place),
    };
  },
  evaluate: ({ program }, candidate, task) => program.evaluate(candidate, task),
  teardown: async ({ place, program }) => {
    await program.close();
    place.close();
  },
});
