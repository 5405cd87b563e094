import { UsageError } from "@coppice/engine/usage-error";

/** Where an option's value comes from; undefined if it has none. */
export type Source = "cli" | "env" | "default" | undefined;

/** An option that a tool has under its own name beside one that every command has. */
export interface TwoNames<Value> {
  readonly own: { readonly flag: string; readonly value: Value | undefined; readonly source: Source };
  readonly common: { readonly flag: string; readonly value: Value | undefined; readonly source: Source };
}

/**
 * The value that counts: what was typed beats the environment, and of two from the same place the tool's own name beats
 * the common one. Two that were typed and say different things contradict each other.
 */
export function strongest<Value>({ own, common }: TwoNames<Value>): Value | undefined {
  if (own.source === "cli" && common.source === "cli" && own.value !== common.value) {
    throw new UsageError(
      `${own.flag} ${String(own.value)} and ${common.flag} ${String(common.value)} contradict each other: give one`,
    );
  }
  for (const source of ["cli", "env"] as const) {
    for (const option of [own, common]) if (option.source === source) return option.value;
  }
  return undefined;
}
