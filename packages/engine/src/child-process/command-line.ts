/** A program with its arguments, or a line only a shell understands. */
export type CommandLine =
  | { readonly kind: "program"; readonly file: string; readonly args: readonly string[] }
  | { readonly kind: "shell"; readonly line: string };

/** Words a shell answers itself; starting a program of that name would be something else or fail. */
const BUILTINS = new Set(
  ". : [ alias bg break cd command continue echo eval exec exit export false fc fg getopts hash if jobs kill let local printf pwd read readonly return set shift source test time times trap true type ulimit umask unalias unset until wait while for case".split(
    " ",
  ),
);

/**
 * Splits a command into words when that is all a shell would do with it: quotes, `$NAME` from the environment and a
 * leading `~/`. Anything more (pipes, globs, substitutions, assignments, builtins) stays a shell line.
 */
export function readCommandLine(line: string, env: NodeJS.ProcessEnv): CommandLine {
  const words = splitWords(line, env);
  const file = words?.[0];
  if (words === undefined || file === undefined || file === "" || BUILTINS.has(file)) return { kind: "shell", line };
  return { kind: "program", file, args: words.slice(1) };
}

/** A word as a shell reads it back: quoted only where it has to be. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What a shell neither splits, nor expands, nor leaves out. */
const PLAIN_WORD = /^[\w./:@%+,-]+$/;

/** The words of a simple command, or undefined when a shell is needed. */
export function splitWords(line: string, env: NodeJS.ProcessEnv): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const character = line[i];
    if (quote === "'") {
      if (character === "'") quote = "";
      else word += character;
    } else if (quote === '"' && character === '"') quote = "";
    else if (character === "$") {
      const variable = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y;
      variable.lastIndex = i;
      const found = variable.exec(line);
      const value = found === null ? undefined : (env[found[1] ?? found[2]] ?? "");
      if (found === null || value === undefined) return undefined;
      // Outside quotes a shell would split the value again or expand wildcards in it.
      if (quote === "" && !PLAIN_WORD.test(value)) return undefined;
      word = (word ?? "") + value;
      i += found[0].length - 1;
    } else if (quote === '"') {
      if (character === "\\" || character === "`" || character === "!") return undefined;
      word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === " " || character === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "~") {
      if (word !== undefined || line[i + 1] !== "/" || env.HOME === undefined) return undefined;
      word = env.HOME;
    } else if (character === "=" && words.length === 0) return undefined;
    else if (/[\w./:@%+,=-]/.test(character) || character > "\u007f") word = (word ?? "") + character;
    else return undefined;
  }
  if (quote !== "") return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
