import type { Outcome, Proposal, Search } from "@coppice/engine";
import { describeFailures, type FailedItem, failedItem, hasFailed, type ItemRun, type MapItem } from "./item-run.ts";

/** How a map went. */
export interface MapResult {
  readonly items: number;
  /** Items whose command was run, or would have been had none failed before. */
  readonly done: number;
  readonly failed: number;
  readonly failures: readonly FailedItem[];
}

/** Hears what became of each item, in their order. */
export type ItemListener = (item: MapItem, run: ItemRun, result: MapResult) => void;

/** Runs every item; with `halt` only up to the first that fails, in the order of the items, whoever is faster. */
export class MapSearch implements Search<MapItem, ItemRun, MapResult> {
  readonly #items: readonly MapItem[];
  readonly #halt: boolean;
  readonly #listener: ItemListener;
  #asked = 0;
  #done = 0;
  readonly #failures: FailedItem[] = [];

  constructor(items: readonly MapItem[], halt: boolean, listener: ItemListener) {
    this.#items = items;
    this.#halt = halt;
    this.#listener = listener;
  }

  ask(): Proposal<MapItem> {
    const halted = this.#halt && this.#failures.length > 0;
    if (halted || this.#done === this.#items.length) return { kind: "done" };
    if (this.#asked === this.#items.length) return { kind: "wait" };
    const candidate = this.#items[this.#asked++];
    return { kind: "candidate", candidate, key: String(candidate.number) };
  }

  tell(outcome: Outcome<ItemRun>): void {
    // After a halt whatever else was running is not told of.
    if (this.#halt && this.#failures.length > 0) return;
    const item = this.#items[this.#done++];
    const run = outcome.ok ? outcome.value : lost(outcome.failure.message);
    if (hasFailed(run)) this.#failures.push(failedItem(item, run));
    this.#listener(item, run, this.result());
  }

  result(): MapResult {
    const failures = this.#failures;
    return { items: this.#items.length, done: this.#done, failed: failures.length, failures };
  }

  progress() {
    const total = this.#items.length;
    const says = this.#failures.length === 0 ? [] : [describeFailures(this.#failures, total)];
    return { levels: [{ name: "Items", done: this.#done, total }], says };
  }
}

function lost(problem: string): ItemRun {
  return { exitCode: null, signal: null, problem, attempts: 1, stdout: "", stderr: "" };
}
