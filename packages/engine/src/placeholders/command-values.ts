import type { Word } from "./word.ts";

/** Variables that shells, git, pagers and loaders take a command, code or options of their own from. */
const VARIABLE =
  /^(?:\w*_COMMAND|\w*(?:PAGER|EDITOR|BROWSER|ASKPASS|_RSH)|GIT_(?:SSH|EXTERNAL_DIFF|EXEC_PATH|TEMPLATE_DIR|CONFIG\w*)|BASH_ENV|ENV|SHELL|PATH|PS4|IFS|LESS(?:OPEN|CLOSE)|(?:LD|DYLD)_\w+|NODE_OPTIONS|PERL5(?:OPT|DB|LIB)|RUBYOPT|PYTHON(?:STARTUP|PATH|HOME)|TAR_OPTIONS|MAKEFLAGS)\+?=/;
/** Options whose value is a command, whichever program they belong to. */
const OPTION =
  /^(?:--(?:[\w-]+-(?:program|command|script)|exec|rsh|checkpoint-action|upload-pack|receive-pack|info-script)|-exec(?:dir)?|-ok(?:dir)?)$/;
/** Options of one program whose value is a command or a setting that can be one. */
const OF_PROGRAM: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^git$/, /^(?:-c|-x|--config-env|alias\..*)$/],
  [/^(?:bsd|g)?tar$/, /^-\w*[IF]$/],
  [/^rsync$/, /^-\w*e$/],
];
/** Settings of git that are only text. */
const ONLY_TEXT = /^user\.(?:name|email)=/;

/** The words with a placeholder that a well-known variable or option makes a command. */
export function commandValues(words: readonly Word[], program: string): readonly Word[] {
  const own = OF_PROGRAM.filter(([name]) => name.test(program)).map(([, option]) => option);
  const takesCommand = (option: string) => OPTION.test(option) || own.some((pattern) => pattern.test(option));
  return words.filter(({ text, placeholders }, index) => {
    if (placeholders.length === 0) return false;
    if (VARIABLE.test(text) || /^[^{]*\bexec=/.test(text)) return true;
    if (text.includes("=") && takesCommand(text.slice(0, text.indexOf("=")))) return true;
    return takesCommand(words[index - 1]?.text ?? "") && !ONLY_TEXT.test(text);
  });
}
