import { readResultFile } from "@coppice/engine/records";
import { plainJson } from "@coppice/engine/values";

/** Answers that are kept whole in memory; older ones are read from their run's result. */
const MOST_KEPT = 20;

/** What runs answered, whole, for those who want more than the tool said. */
export class AnswerBook {
  readonly #kept = new Map<string, unknown>();

  keep(run: string, document: unknown): void {
    this.#kept.delete(run);
    this.#kept.set(run, document);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** What a run answered: as its command printed it, else its recorded result; undefined before its end. */
  of(run: string, directory: string): unknown {
    if (this.#kept.has(run)) return this.#kept.get(run);
    const file = readResultFile(directory);
    return file === undefined ? undefined : plainJson(file.result);
  }
}
