import { commandValues } from "./command-values.ts";
import { CommandError, type Word } from "./word.ts";

/** Programs that run a text as code: the options that say so, those that take a value, and the safe form. */
interface Interpreter {
  readonly code: RegExp;
  readonly valued: RegExp;
  /** Its first operand is code, unless an option was. */
  readonly operandIsCode?: true;
  /** Its options may follow operands, which are neither code nor a script. */
  readonly optionsAnywhere?: true;
  readonly safe: (name: string, placeholder: string) => string;
}

const NONE = /^$/;
const asArgument = (flag: string) => (name: string, placeholder: string) =>
  `give it to the code as an argument: ${name} ${flag} '…' ${placeholder}`;

const shell: Interpreter = {
  code: /^(?:-[A-Za-z]*c|--command|-Command)$/,
  valued: /^(?:[-+][oO]|--rcfile|--init-file)$/,
  safe: (name, placeholder) => `give it to the script as an argument: ${name} -c '… "$1"' sh ${placeholder}`,
};
const python: Interpreter = { code: /^-[A-Za-z]*c$/, valued: /^-[WX]$/, safe: asArgument("-c") };
const script: Interpreter = { code: /^(?:-\w*[eE]|-r)$/, valued: NONE, safe: asArgument("-e") };
const node: Interpreter = {
  code: /^(?:-e|-p|-pe|--eval|--print|eval)$/,
  valued: /^(?:-r|-C|--require|--import|--loader|--conditions|--input-type|--env-file)$/,
  safe: asArgument("-e"),
};
const filter = (safe: string): Interpreter => ({
  code: /^(?:-e|--expression|--source)$/,
  valued: /^-[Fvf]$/,
  operandIsCode: true,
  safe: () => safe,
});
/** Has a shell run what follows its `-c`. */
const runner: Interpreter = {
  code: /^(?:-\w*c|--command)$/,
  valued: NONE,
  optionsAnywhere: true,
  safe: shell.safe,
};

const INTERPRETERS: Readonly<Record<string, Interpreter>> = Object.assign(Object.create(null), {
  ...Object.fromEntries("sh bash dash zsh ksh mksh ash fish csh tcsh pwsh $".split(" ").map((name) => [name, shell])),
  ...Object.fromEntries("su runuser script flock".split(" ").map((name) => [name, runner])),
  ...Object.fromEntries("perl ruby php lua osascript Rscript".split(" ").map((name) => [name, script])),
  ...Object.fromEntries("node nodejs bun deno".split(" ").map((name) => [name, node])),
  ...Object.fromEntries(
    "awk gawk mawk nawk".split(" ").map((name) => [name, filter("let awk read it from ENVIRON or its input")]),
  ),
  ...Object.fromEntries("sed gsed".split(" ").map((name) => [name, filter("do it with a program of your own")])),
  python,
  pypy: python,
});

/** What makes one text of its arguments and has a shell run it, here or elsewhere. */
const JOINING = new Set("ssh rsh mosh watch parallel tmux screen xterm".split(" "));
/** Words of the shell that read their arguments as code or as names to assign to. */
const READING = new Set("eval let trap alias unset read . source".split(" "));
const DECLARING = new Set("export readonly declare typeset local".split(" "));
/** What runs the command that follows. */
const WRAPPERS = new Set(
  "env nohup nice ionice timeout time setsid stdbuf sudo doas command exec builtin xargs busybox".split(" "),
);
/** `-e'code'`, `--eval=code`. */
const CARRIES_CODE = /^(?:-[a-zA-Z]*[ceErp]|--(?:eval|print|command|expression|source)=)/;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** Where a line's input comes from and what of it may name a program. */
export interface Surroundings {
  /** Placeholders that stand for a folder: a program may lie in it. */
  readonly folders: readonly string[];
  /** Whether text from outside reaches the command on standard input, too. */
  readonly untrustedInput: boolean;
}

/** Throws a {@link CommandError} where a placeholder would be run as code, with the safe form. */
export function refuseCode(words: readonly Word[], surroundings: Surroundings): void {
  const { folders, untrustedInput } = surroundings;
  const inFolder = ({ text }: Word) => folders.some((folder) => text.startsWith(`{${folder}}/`));
  const start = commandStart(words);
  const program = words[start];
  const onlyFolders = ({ placeholders }: Word) => placeholders.every((each) => folders.includes(each));
  const asCommand = commandValues(words, nameOf(program)).filter((word) => !onlyFolders(word));
  refuseAny(asCommand, "the variable or option it is the value of is run as a command: give it as an argument");
  const xargs = words.findIndex((word) => nameOf(word) === "xargs");
  if (untrustedInput && xargs !== -1) refuseOpenXargs(words.slice(xargs + 1));
  if (program === undefined) return;
  const isTheirs = inFolder(program) || (program.text.startsWith("$") && onlyFolders(program));
  if (program.placeholders.length > 0 && !isTheirs) {
    throw new CommandError(`{${program.placeholders[0]}} would be run as a program: name one before it`);
  }
  const name = nameOf(program);
  const rest = words.slice(start + 1);
  // `$EMPTY eval …`: what follows may be the command.
  if (program.isUnsure) refuseCode(rest, surroundings);
  if (READING.has(name)) refuseAny(rest, `${name} reads it as code: leave ${name} out`);
  if (DECLARING.has(name)) {
    const bare = rest.filter(({ text }) => !ASSIGNMENT.test(text));
    refuseAny(bare, `${name} takes it for a name: write ${name} NAME={…}`);
  }
  if (/^g?make$/.test(name)) {
    const given = rest.filter(({ text }) => ASSIGNMENT.test(text));
    refuseAny(given, "make would expand it: put the assignment before make, which makes it a variable");
  }
  words.forEach((word, index) => {
    const nested = nameOf(word);
    const after = words.slice(index + 1);
    if (JOINING.has(nested)) {
      refuseAny(after, `${nested} has a shell read it: send it on standard input: printf %s {…} | ${nested} …`);
      if (untrustedInput && nested === "ssh" && after.filter(({ text }) => !text.startsWith("-")).length < 2) {
        throw new CommandError("ssh without a command would run what it reads as code: name a program after the host");
      }
    }
    if (nested === "env") refuseAny(splitByEnv(after), "env -S splits it: leave -S out");
    if (/^(?:\[|test|printf)$/.test(nested)) {
      const flag = after.findIndex(({ text }) => text === "-v");
      if (flag !== -1) refuseAny(after.slice(flag + 1, flag + 2), `${nested} -v takes it for a name`);
    }
    const interpreter = nested === "$" && index !== start ? undefined : INTERPRETERS[nested];
    if (interpreter === undefined) return;
    const { code, operand, readsInput } = codeOf(after, interpreter);
    refuseAny(code, (placeholder) => `${nested} would run it as code: ${interpreter.safe(nested, placeholder)}`);
    const wrappedByXargs = words.slice(0, index).some((each) => nameOf(each) === "xargs");
    if (
      untrustedInput &&
      wrappedByXargs &&
      code.length > 0 &&
      words.some(({ text }) => /^-(?:I|i|J|-replace)/.test(text))
    )
      throw new CommandError(
        `xargs would put what it reads into the code of ${nested}: leave -I out, and use "$1" in it`,
      );
    if (index !== start || interpreter.optionsAnywhere) return;
    if (operand !== undefined && operand.placeholders.length > 0 && !inFolder(operand)) {
      throw new CommandError(`${nested} would run the file {${operand.placeholders[0]}}: name a script before it`);
    }
    if (untrustedInput && readsInput && nested !== "$") {
      throw new CommandError(`${nested} would run what it reads as code: name a script`);
    }
  });
}

/** Throws where `xargs` would put what it reads in the place of a program or its code. */
function refuseOpenXargs(words: readonly Word[]): void {
  let at = 0;
  let replaced = "";
  for (; /^-./.test(words[at]?.text ?? ""); at++) {
    const { text } = words[at];
    if (/^-[IJ]/.test(text)) replaced = text.slice(2) || (words[at + 1]?.text ?? "");
    if (/^(?:-[adEIJLnPRsS]|--(?:arg-file|delimiter|max-args|max-procs|max-chars|process-slot-var))$/.test(text)) at++;
  }
  const command = words.slice(at);
  if (command.length === 0) return;
  const start = commandStart(command);
  const program = command[start];
  const name = nameOf(program);
  const interpreter = INTERPRETERS[name];
  const replaces = replaced !== "" && program?.text.includes(replaced);
  const isOpen = program === undefined || replaces || JOINING.has(name);
  if (!isOpen && (interpreter === undefined || hasItsCode(command.slice(start + 1), interpreter))) return;
  throw new CommandError(
    `xargs would have what it reads run as code: name a program after it, or a script that takes it as "$1"`,
  );
}

/** Whether an interpreter's code or script is among its words, so that what is added to them is an argument. */
function hasItsCode(words: readonly Word[], interpreter: Interpreter): boolean {
  const { code, operand } = codeOf(words, interpreter);
  if (operand !== undefined) return true;
  if (interpreter.operandIsCode && words.some(({ text }) => text === "-f")) return true;
  const carries = (text: string) => CARRIES_CODE.test(text) && !interpreter.code.test(text);
  return code.some(({ text }) => !/^[-+]/.test(text) || (!interpreter.operandIsCode && carries(text)));
}

/** The words that are code, options with it; what follows as first operand; and whether the code is read from the input. */
function codeOf(words: readonly Word[], { code, valued, operandIsCode, optionsAnywhere }: Interpreter) {
  const found: Word[] = [];
  let index = 0;
  for (; index < words.length; index++) {
    const { text, isUnsure } = words[index];
    // None or many words: any of those that follow may be the code.
    if (isUnsure) return { code: words, operand: undefined, readsInput: false };
    if (!/^[-+]./.test(text)) {
      if (optionsAnywhere) continue;
      break;
    }
    if (text === "--") {
      index++;
      break;
    }
    found.push(words[index]);
    if (valued.test(text)) index++;
    if (!code.test(text)) continue;
    while (/^[-+]./.test(words[index + 1]?.text ?? "")) found.push(words[++index]);
    const script = words[++index];
    if (script?.isUnsure) return { code: words, operand: undefined, readsInput: false };
    if (script !== undefined) found.push(script);
  }
  const hasCode = found.some(({ text }) => code.test(text));
  const operand = words[index];
  if (operandIsCode && !hasCode && operand !== undefined) found.push(operand);
  const readsInput = !operandIsCode && !hasCode && (operand === undefined || operand.text === "-");
  const noArgument = words.length === 0 || !words.some(({ text }) => /^--?(?:version|help|h|V|v)$/.test(text));
  return {
    code: hasCode || operandIsCode ? found : found.filter(({ text }) => CARRIES_CODE.test(text)),
    operand: hasCode || operandIsCode ? undefined : operand,
    readsInput: readsInput && noArgument,
  };
}

/** Where the command begins, after assignments and what only runs it. */
function commandStart(words: readonly Word[]): number {
  let at = 0;
  for (;;) {
    while (ASSIGNMENT.test(words[at]?.text ?? "")) at++;
    if (!WRAPPERS.has(nameOf(words[at]))) return at;
    at++;
    while (/^(?:-.*|\d[\d.]*[smhd]?)$/.test(words[at]?.text ?? "")) at++;
  }
}

function splitByEnv(words: readonly Word[]): readonly Word[] {
  const flag = words.findIndex(({ text }) => /^(?:-\w*S|--split-string)/.test(text));
  return flag === -1 ? [] : words.slice(flag, flag + 2);
}

/** `python` of `/usr/bin/python3.12`. */
function nameOf(word: Word | undefined): string {
  const name = word?.text.slice(word.text.lastIndexOf("/") + 1) ?? "";
  return name.replace(/-?\d[\d.]*$/, "");
}

function refuseAny(words: readonly Word[], why: string | ((placeholder: string) => string)): void {
  const placeholder = words.flatMap(({ placeholders }) => placeholders)[0];
  if (placeholder === undefined) return;
  const said = typeof why === "string" ? why.replace("{…}", `{${placeholder}}`) : why(`{${placeholder}}`);
  throw new CommandError(`{${placeholder}}: ${said}`);
}
