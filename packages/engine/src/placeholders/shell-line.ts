import { CommandError, type IsPlaceholder, namesIn, type Word } from "./word.ts";

/** A shell line in which every placeholder is a quoted variable, and the simple commands it consists of. */
interface ShellLine {
  readonly line: string;
  readonly commands: readonly (readonly Word[])[];
}

/** Words after which a command begins, or which are none themselves. */
const KEYWORDS = new Set("if then else elif fi do done while until ! { } time esac".split(" "));
/** Where shells disagree about what is text and what is not; with a placeholder in the line we do not guess. */
const ARITHMETIC = [/\$\(\(/y, "arithmetic $((…))"] as const;
const UNCLEAR = [
  ARITHMETIC,
  [/\(\(/y, "arithmetic ((…))"],
  [/<</y, "a here-document"],
  [/\$['"]/y, "$'…'"],
  [/[<>]\(/y, "a process substitution <(…)"],
  // Bash expands what `"$X"` held once more there, and so would run it.
  [/[<>]+&(?!\s*[\w./-]+(?:[\s;&|<>()]|$))/y, ">& before anything but a number or a plain name"],
] as const;
/** `${NAME:-text}`, and outside of quotes `${NAME:+--resume "$NAME"}`: nothing in it that shells read in different ways. */
const BRACED = /^\$\{(?:[^{}'"`\\()$]|\$\w+|\$\{\w+\})*\}/;
const BRACED_WITH_QUOTES = /^\$\{(?:[^{}'"`\\()$]|\$\w+|\$\{\w+\}|"(?:[^{}'"`\\()$]|\$\w+|\$\{\w+\})*")*\}/;
const BRACES = /\{\{([A-Za-z][A-Za-z0-9]*)\}\}|\{([A-Za-z][A-Za-z0-9]*)\}/y;

/**
 * Reads a line as a shell does, as far as it has to be known what a placeholder is part of. Throws a {@link CommandError}
 * where a value would not arrive as it is: in single quotes, backquotes, `${…}` and whatever shells read differently.
 */
export function readShellLine(line: string, isPlaceholder: IsPlaceholder, variable: (name: string) => string) {
  return new Reader(line, isPlaceholder, variable).whole();
}

class Reader {
  readonly #line: string;
  readonly #isPlaceholder: IsPlaceholder;
  readonly #variable: (name: string) => string;
  readonly #commands: Word[][] = [];
  /** Every placeholder so far, in the line's order, those that an expansion brings back included. */
  readonly #named: string[] = [];
  /** Variables of the shell that hold a placeholder's value, with its name. */
  readonly #holding: Map<string, string>;
  #at = 0;
  #written = "";

  constructor(
    line: string,
    isPlaceholder: IsPlaceholder,
    variable: (name: string) => string,
    holding: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#holding = new Map(holding);
    this.#line = line;
    this.#isPlaceholder = isPlaceholder;
    this.#variable = variable;
  }

  whole(): ShellLine {
    const known = this.#holding.size;
    this.#readCommands(false);
    // A loop or function may use a variable before the line sets it.
    if (this.#holding.size > known) {
      return new Reader(this.#line, this.#isPlaceholder, this.#variable, this.#holding).whole();
    }
    return { line: this.#written, commands: this.#commands };
  }

  /** Commands up to the end of the line, or of the substitution. */
  #readCommands(substituted: boolean): void {
    let command: Word[] = [];
    let redirects = false;
    let depth = 0;
    const endCommand = (): void => {
      if (command.length > 0) this.#commands.push(command);
      this.#remember(command);
      command = [];
      redirects = false;
    };
    while (this.#at < this.#line.length) {
      this.#refuseUnclear(UNCLEAR);
      const character = this.#line[this.#at];
      if (character === " " || character === "\t") this.#take(1);
      else if (character === "#") this.#take(this.#upTo("\n"));
      else if (character === "<" || character === ">") {
        this.#take(/^[<>]+[&|]?/.exec(this.#line.slice(this.#at))?.[0].length ?? 1);
        redirects = true;
      } else if (character === "(") {
        this.#take(1);
        depth++;
        endCommand();
      } else if (character === ")") {
        if (substituted && depth === 0) break;
        this.#take(1);
        depth--;
        endCommand();
      } else if (/[;&|\n]/.test(character)) {
        this.#take(1);
        endCommand();
      } else {
        const word = this.#readWord();
        const beforeRedirection = /^\d+$/.test(word.text) && /[<>]/.test(this.#line[this.#at] ?? "");
        if (command.length === 0 && word.text === "[[") throw unclear("[[ … ]]");
        if (substituted && command.length === 0 && word.text === "case") throw unclear("case inside $(…)");
        const counts = !redirects && !beforeRedirection && !(command.length === 0 && KEYWORDS.has(word.text));
        if (counts) command.push(word);
        redirects = false;
      }
    }
    endCommand();
  }

  #readWord(): Word {
    const from = this.#named.length;
    let text = "";
    let quoted = false;
    let isUnsure = false;
    while (this.#at < this.#line.length) {
      this.#refuseUnclear(quoted ? [ARITHMETIC] : UNCLEAR);
      const character = this.#line[this.#at];
      BRACES.lastIndex = this.#at;
      const [whole, literal, name = literal] = BRACES.exec(this.#line) ?? [];
      if (whole !== undefined && this.#isPlaceholder(name)) {
        this.#at += whole.length;
        text += `{${name}}`;
        if (literal !== undefined) this.#written += `{${name}}`;
        else {
          this.#named.push(name);
          this.#written += quoted ? `\${${this.#variable(name)}}` : `"\${${this.#variable(name)}}"`;
        }
      } else if (character === '"') {
        quoted = !quoted;
        this.#take(1);
      } else if (character === "\\") {
        text += this.#line[this.#at + 1] ?? "";
        this.#take(2);
      } else if (character === "$") {
        isUnsure ||= !quoted;
        text += this.#readExpansion(quoted);
      } else if (character === "`") {
        const length = /^`(?:[^`\\]|\\[\s\S])*`?/.exec(this.#line.slice(this.#at))?.[0].length ?? 1;
        this.#refuseIn(this.#line.slice(this.#at, this.#at + length), "backquotes: write $(…) instead of `…`");
        this.#take(length);
        isUnsure ||= !quoted;
        text += "$";
      } else if (character === "'" && !quoted) {
        const length = 1 + this.#upTo("'", 1) + 1;
        const inside = this.#line.slice(this.#at + 1, this.#at + length - 1);
        this.#refuseIn(inside, "single quotes, where the shell replaces nothing: end the quotes before it");
        text += inside;
        this.#take(length);
      } else if (!quoted && /[\s;&|<>()]/.test(character)) break;
      else {
        isUnsure ||= !quoted && /[*?[{]/.test(character);
        text += character;
        this.#take(1);
      }
    }
    if (quoted) throw new CommandError('the quotes " are not closed');
    // Alone, `[` is a command and `{` a keyword.
    return { text, placeholders: this.#named.slice(from), isUnsure: isUnsure && text !== "[" && text !== "{" };
  }

  /** `$NAME`, `${NAME…}`, `$(…)`; what it stands for only the shell knows. */
  #readExpansion(quoted: boolean): string {
    const rest = this.#line.slice(this.#at);
    if (rest.startsWith("$(")) {
      this.#take(2);
      this.#readCommands(true);
      if (this.#line[this.#at] !== ")") throw new CommandError("$( is not closed");
      this.#take(1);
      return "$";
    }
    if (rest.startsWith("${")) {
      const braced = (quoted ? BRACED : BRACED_WITH_QUOTES).exec(rest);
      if (braced === null) throw unclear("an expansion with quotes or braces in it");
      return this.#takeExpansion(braced[0]);
    }
    return this.#takeExpansion(/^\$(?:[A-Za-z_]\w*|[@*#?$!0-9-])?/.exec(rest)?.[0] ?? "$");
  }

  #takeExpansion(text: string): string {
    for (const [variable] of text.matchAll(/\w+|[@*]/g)) {
      const held = this.#holding.get(variable);
      if (held !== undefined) this.#named.push(held);
    }
    this.#take(text.length);
    return "$";
  }

  /** Which variables a command gives a placeholder's value: `X={p}`, `for x in {p}`, `set {p}`; `read` may read one. */
  #remember(command: readonly Word[]): void {
    const hold = (variable: string | undefined, name: string | undefined) => {
      if (variable !== undefined && name !== undefined) this.#holding.set(variable, name);
    };
    for (const { text, placeholders } of command) hold(/^([A-Za-z_]\w*)\+?=/.exec(text)?.[1], placeholders[0]);
    const given = command.flatMap(({ placeholders }) => placeholders)[0];
    if (command[0]?.text === "for") hold(command[1]?.text, given);
    if (command[0]?.text === "set") for (const each of "123456789@*") hold(each, given);
    if (command[0]?.text === "read") for (const { text } of command) hold(text, this.#named[0]);
  }

  #take(length: number): void {
    this.#written += this.#line.slice(this.#at, this.#at + length);
    this.#at += length;
  }

  #upTo(end: string, after = 0): number {
    const found = this.#line.indexOf(end, this.#at + after);
    if (found === -1 && end === "'") throw new CommandError("the quotes ' are not closed");
    return (found === -1 ? this.#line.length : found) - this.#at - after;
  }

  #refuseIn(text: string, where: string): void {
    const [name] = namesIn(text, this.#isPlaceholder);
    if (name !== undefined) throw new CommandError(`{${name}} is inside ${where}`);
  }

  #refuseUnclear(forms: readonly (readonly [RegExp, string])[]): void {
    for (const [pattern, what] of forms) {
      pattern.lastIndex = this.#at;
      if (pattern.test(this.#line)) throw unclear(what);
    }
  }
}

function unclear(what: string): CommandError {
  return new CommandError(
    `shells read ${what} in different ways, so that a placeholder in the same line is not safe: put the line into a script and give it the placeholder as an argument`,
  );
}
