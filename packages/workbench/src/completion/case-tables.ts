import { type CompletionRow, expectedText, valueGroups } from "./completion-row.ts";

/** The table as functions that bash and zsh read alike; what a row sets is the shell's own affair. */
export function caseTables(
  table: readonly CompletionRow[],
  settings: (row: CompletionRow) => readonly string[],
): string {
  const rows = table.map((row) => `    ${quoted(row.path)}) ${settings(row).join(" ")} ;;`);
  const values = valueGroups(table).map(
    ([expected, places]) => `    ${places.map(quoted).join(" | ")}) value=${quoted(expectedText(expected))} ;;`,
  );
  return `# What can follow a command.
__coppice_at() {
  case "$1" in
${rows.join("\n")}
  esac
}

# What the value of an option can be.
__coppice_value() {
  value=''
  case "$1" in
${values.join("\n")}
  esac
}
`;
}

/** One word, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
