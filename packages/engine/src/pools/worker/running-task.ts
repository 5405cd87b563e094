import type { Task, TaskProgress } from "../../contract/evaluator.ts";

/** The task an evaluation is given. Its signal is made when it is first asked for: most short tasks never do. */
export class RunningTask implements Task {
  readonly id: number;
  readonly key: string;
  readonly attempt: number;
  readonly seed: number;
  readonly report: (progress: TaskProgress) => void;
  readonly log: (message: string) => void;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(
    id: number,
    key: string,
    attempt: number,
    seed: number,
    report: (id: number, progress: TaskProgress) => void,
    log: (message: string) => void,
  ) {
    this.id = id;
    this.key = key;
    this.attempt = attempt;
    this.seed = seed;
    this.report = (progress) => report(id, progress);
    this.log = log;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}
