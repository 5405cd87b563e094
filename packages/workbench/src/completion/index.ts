// What Tab completes, as a script for each shell.
export { bashScript } from "./bash-script.ts";
export type { CompletionRow, Expected, Word } from "./completion-row.ts";
export { fishScript } from "./fish-script.ts";
export { zshScript } from "./zsh-script.ts";
