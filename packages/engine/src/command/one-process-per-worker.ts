import type { Task } from "../contract/evaluator.ts";
import { wrongValue } from "./answer-shape.ts";
import { candidateJson } from "./candidate-json.ts";
import { CommandFailed } from "./command-failed.ts";
import { Conversation } from "./line-program.ts";
import type { Workplace } from "./workplace.ts";

/**
 * Asks a long-lived process task after task. It is believed when it answers; when it fails, only if it was asked nothing
 * else before: otherwise the same is asked of a new process, so that no outcome depends on what a worker did earlier.
 */
export class OneProcessPerWorker {
  readonly #place: Workplace;
  #current: Conversation | undefined;

  constructor(place: Workplace) {
    this.#place = place;
  }

  async evaluate(candidate: unknown, task: Task): Promise<unknown> {
    const { id, seed } = task;
    const { answer } = this.#place.settings;
    const line = `{"id":${id},"candidate":${candidateJson(candidate)},"seed":${seed}}\n`;
    const question = { id, line, wrong: (value: unknown) => wrongValue(value, candidate, answer) };
    const log = this.#place.logFor(task);
    const used = this.#current;
    if (used !== undefined && !used.over) {
      try {
        return await used.ask(question, task.signal, log);
      } catch (error) {
        if (!(error instanceof CommandFailed) || error.said) throw error;
      }
    }
    this.#current = new Conversation(this.#place);
    return this.#current.ask(question, task.signal, log);
  }

  async close(): Promise<void> {
    await this.#current?.leave();
  }
}
