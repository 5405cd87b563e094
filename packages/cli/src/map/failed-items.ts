import type { ItemRun, MapItem } from "./item-run.ts";

/** An item whose command failed, as a map's result lists it. */
export interface FailedItem extends Pick<ItemRun, "exitCode" | "signal" | "problem"> {
  readonly number: number;
  /** The beginning of the item. */
  readonly item: string;
}

const MOST_NAMED = 3;
const SHOWN_CHARACTERS = 60;

export function failedItem({ item, number }: MapItem, { exitCode, signal, problem }: ItemRun): FailedItem {
  return { number, item: shortened(item), exitCode, signal, ...(problem === undefined ? {} : { problem }) };
}

/** Which items failed and how, on one line; the first few of them by name. */
export function describeFailures(failures: readonly FailedItem[], items: number): string {
  const named = failures.slice(0, MOST_NAMED).map((failed) => `item ${failed.number} (${failed.item}) ${how(failed)}`);
  const more = failures.length - named.length;
  if (more > 0) named.push(`and ${more} more`);
  return `${failures.length} of ${items} items failed: ${named.join("; ")}`;
}

function how({ exitCode, signal, problem }: FailedItem): string {
  if (problem !== undefined) return `because ${problem}`;
  return signal === null ? `with exit code ${exitCode}` : `was ended by ${signal}`;
}

/** The beginning of an item, for people. */
export function shortened(item: string): string {
  return item.length <= SHOWN_CHARACTERS ? item : `${item.slice(0, SHOWN_CHARACTERS)}…`;
}
