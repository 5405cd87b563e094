import type { Outcome, Proposal, Search } from "@coppice/engine";
import { hasFailed, type ItemRun, type MapItem } from "./item-run.ts";

/** How a map went. */
export interface MapResult {
  readonly items: number;
  /** Items whose command was run, or would have been had none failed before. */
  readonly done: number;
  readonly failed: number;
}

/** Hears what became of each item, in their order. */
export type ItemListener = (item: MapItem, run: ItemRun, result: MapResult) => void;

/** Runs every item; with `halt` only up to the first that fails, in the order of the items, whoever is faster. */
export class MapSearch implements Search<MapItem, ItemRun, MapResult> {
  readonly #items: readonly string[];
  readonly #halt: boolean;
  readonly #listener: ItemListener;
  #asked = 0;
  #done = 0;
  #failed = 0;

  constructor(items: readonly string[], halt: boolean, listener: ItemListener) {
    this.#items = items;
    this.#halt = halt;
    this.#listener = listener;
  }

  ask(): Proposal<MapItem> {
    const halted = this.#halt && this.#failed > 0;
    if (halted || this.#done === this.#items.length) return { kind: "done" };
    if (this.#asked === this.#items.length) return { kind: "wait" };
    const candidate = this.#item(this.#asked++);
    return { kind: "candidate", candidate, key: String(candidate.number) };
  }

  tell(outcome: Outcome<ItemRun>): void {
    // After a halt whatever else was running is not told of.
    if (this.#halt && this.#failed > 0) return;
    const item = this.#item(this.#done++);
    const run = outcome.ok ? outcome.value : lost(outcome.failure.message);
    if (hasFailed(run)) this.#failed++;
    this.#listener(item, run, this.result());
  }

  result(): MapResult {
    return { items: this.#items.length, done: this.#done, failed: this.#failed };
  }

  progress() {
    return { levels: [{ name: "Items", done: this.#done, total: this.#items.length }] };
  }

  #item(index: number): MapItem {
    return { item: this.#items[index], number: index + 1 };
  }
}

function lost(problem: string): ItemRun {
  return { exitCode: null, signal: null, problem, attempts: 1, stdout: "", stderr: "" };
}
