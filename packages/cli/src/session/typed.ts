/** What was typed in this process last, without the program's name. */
export const typed: { words: readonly string[] } = { words: [] };
