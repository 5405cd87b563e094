import { beginning } from "@coppice/engine/printable";

/** What became of one item. */
export interface ItemRun {
  /** Null when it did not end by itself. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why it counts as failed, where the exit code does not say: a time limit, too much output, a program that is not there. */
  readonly problem?: string;
  readonly attempts: number;
  /** Texts where they are short and valid UTF-8. */
  readonly stdout: string | Uint8Array;
  readonly stderr: string | Uint8Array;
}

/** What every worker of a map is told. */
export interface MapContext {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly stdin: boolean;
  readonly retries: number;
  /** 0 for none. */
  readonly timeoutMs: number;
}

/** One of the items, as a worker is asked for it. */
export interface MapItem {
  readonly item: string;
  /** Counted from 1. */
  readonly number: number;
}

/** Whether the item's command did not do what it was asked. */
export function hasFailed({ exitCode, problem }: ItemRun): boolean {
  return exitCode !== 0 || problem !== undefined;
}

/** Whether all items have the same program. */
export function hasOneProgram([program]: readonly string[]): boolean {
  return !program.includes("{}") && !program.includes("{#}");
}

/** The program is not there any more, or the machine starts none: nothing became of the item. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

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
  return beginning(item, SHOWN_CHARACTERS);
}
