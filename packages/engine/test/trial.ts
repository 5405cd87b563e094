import type { RunEvent } from "../src/contract/event.ts";
import type { Search } from "../src/contract/search.ts";
import { start } from "../src/driver/start.ts";
import type { StartOptions } from "../src/driver/start-options.ts";
import { type Interleaving, interleaved } from "./interleaved-pool.ts";
import type { Heard } from "./searches.ts";

export const last = (count: number) => count - 1;
export const first = () => 0;

type Evaluate = (candidate: unknown, key: string, attempt: number) => unknown;

export interface Trial extends Partial<StartOptions<unknown, unknown, Heard>> {
  readonly evaluate?: Evaluate;
  readonly pooling?: Interleaving;
}

/** Runs a search to its end on a pool whose arrivals are chosen, and returns what came of it with every event. */
export async function go(
  search: Search<unknown, unknown, Heard>,
  { evaluate = (value) => value, pooling = { choose: last }, ...options }: Trial = {},
) {
  const evaluator = new URL("evaluators/echo.ts", import.meta.url);
  const run = await start({ search, evaluator, pool: interleaved(evaluate, pooling), backoffMs: 1, ...options });
  const events: RunEvent[] = [];
  run.subscribe((event) => events.push(event));
  return { ...(await run.finished), events };
}

export const values = (heard: Heard) =>
  heard.map(([ask, text]) => [ask, (JSON.parse(text) as { value: unknown }).value]);
