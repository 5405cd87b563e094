import { type Signal, signal } from "@preact/signals";
import type { TaskRow, TaskWindow } from "../../src/wire.ts";
import { ask } from "../connection.ts";

/** Rows that are fetched together. */
const PAGE_ROWS = 200;
const MOST_PAGES = 40;
/** When all are saved. */
const SAVED_ROWS = 500;
const MOST_SAVED = 100_000;

/** The parts of a long table that were looked at lately; the rest stays with the server. */
export class TaskPages {
  readonly total: Signal<number | undefined> = signal(undefined);
  /** Goes up whenever rows arrive. */
  readonly arrivals = signal(0);
  readonly #path: string;
  readonly #query: string;
  readonly #pages = new Map<number, { rows: readonly TaskRow[]; stale: boolean }>();
  readonly #asked = new Set<number>();

  constructor(path: string, query: string) {
    this.#path = path;
    this.#query = query;
  }

  /** A row, if it is here; what is not, or is no longer up to date, is asked for. */
  row(index: number): TaskRow | undefined {
    const number = Math.floor(index / PAGE_ROWS);
    const page = this.#pages.get(number);
    if (page === undefined || page.stale) void this.fetch(number);
    return page?.rows[index - number * PAGE_ROWS];
  }

  /** What is here may have changed. */
  refresh(): void {
    for (const page of this.#pages.values()) page.stale = true;
    this.arrivals.value++;
  }

  /** All rows, at most as many as a spreadsheet can be given in a few seconds. */
  async all(): Promise<readonly TaskRow[]> {
    const rows: TaskRow[] = [];
    for (let total = 1; rows.length < Math.min(total, MOST_SAVED); ) {
      const window = await ask<TaskWindow>(
        `${this.#path}/tasks?${this.#query}&from=${rows.length}&count=${SAVED_ROWS}`,
      );
      if (window.rows.length === 0) break;
      rows.push(...window.rows);
      total = window.total;
    }
    return rows;
  }

  async fetch(number: number): Promise<void> {
    if (this.#asked.has(number)) return;
    this.#asked.add(number);
    try {
      const from = number * PAGE_ROWS;
      const { total, rows } = await ask<TaskWindow>(
        `${this.#path}/tasks?from=${from}&count=${PAGE_ROWS}&${this.#query}`,
      );
      this.total.value = total;
      this.#pages.delete(number);
      this.#pages.set(number, { rows, stale: false });
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= MOST_PAGES) break;
        this.#pages.delete(oldest);
      }
      this.arrivals.value++;
    } finally {
      this.#asked.delete(number);
    }
  }
}
