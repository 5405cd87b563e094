/** What can be typed somewhere: one of these words, a file, a folder, a run, or only what a person thinks of. */
export type Expected = readonly string[] | "files" | "folders" | "runs" | "anything";

/** A word that can be typed, and what it means. */
export interface Word {
  readonly word: string;
  readonly meaning: string;
}

/** What can follow a command. */
export interface CompletionRow {
  /** The command's words after `coppice`; empty for `coppice` itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** Options that want a value, and which. */
  readonly values: readonly (Word & { readonly expected: Expected })[];
  /** What its arguments are; of several, what the first is. */
  readonly follows: Expected;
}

/** Rows of values that are the same, once: `[expected, "run --pool", "flow plan --pool", …]`. */
export function valueGroups(table: readonly CompletionRow[]): readonly (readonly [Expected, readonly string[]])[] {
  const groups = new Map<string, [Expected, string[]]>();
  for (const { path, values } of table) {
    for (const { word, expected } of values) {
      if (expected === "anything") continue;
      const group = groups.get(JSON.stringify(expected)) ?? [expected, []];
      group[1].push(`${path} ${word}`);
      groups.set(JSON.stringify(expected), group);
    }
  }
  return [...groups.values()];
}

/** As the scripts name it: words, or `@files` and the like. */
export function expectedText(expected: Expected): string {
  if (expected === "anything") return "";
  return typeof expected === "string" ? `@${expected}` : expected.join(" ");
}
