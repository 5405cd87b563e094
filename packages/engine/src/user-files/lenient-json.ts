/** A place in a JSON text where something is wrong or unusual. */
interface JsonNotice {
  readonly line: number;
  readonly message: string;
}

/** A JSON text with the line of every value, read leniently: comments and trailing commas are noted, not refused. */
export interface JsonText {
  readonly value: unknown;
  readonly notices: readonly JsonNotice[];
  /** 1-based line of a value by its path (`hooks.Stop[0].matcher`), or of the nearest value above it. */
  lineOf(path: string): number;
  /** Where a value stands in the text. */
  spanOf(path: string): JsonSpan | undefined;
}

/** Offsets of a value, and of its key if it is a member of an object. */
export interface JsonSpan {
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

/** The text is not JSON even when read leniently. */
export class JsonProblem extends Error {
  override readonly name = "JsonProblem";
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Reads a JSON text; throws {@link JsonProblem} with line and column. */
export function readJsonText(text: string): JsonText {
  const reader = new Reader(text);
  const value = reader.document();
  const { lines, spans, notices } = reader;
  const lineOf = (path: string): number => {
    const above = path.slice(0, Math.max(0, path.lastIndexOf("."), path.lastIndexOf("[")));
    return lines.get(path) ?? lineOf(above);
  };
  return { value, notices, lineOf, spanOf: (path) => spans.get(path) };
}

/** White space, a comment, a text (perhaps without its closing quote), a word, or a single mark. */
const TOKEN = /[ \t\r\n]+|(?:\/\/|#)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^\n])*"?|[-+.\w]+|[\s\S]/y;
const WHOLE_COMMENT = /^(?:\/\/|#|\/\*[\s\S]*\*\/$)/;
const WHOLE_TEXT = /^"(?:[^"\\]|\\.)*"$/;
const PLAIN_VALUE = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
/** As much of a text as has nothing wrong in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a text must not hold
const GOOD_PART = /^(?:[^\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*/;

class Reader {
  /** By path. */
  readonly lines = new Map<string, number>();
  readonly spans = new Map<string, JsonSpan>();
  readonly notices: JsonNotice[] = [];
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  document(): unknown {
    if (this.#peek() === "") this.#fail("the file is empty; an object is expected");
    const value = this.#value("", this.#at);
    if (this.#peek() !== "") this.#fail(`unexpected ${this.#found()} after the end of the document`);
    return value;
  }

  #value(path: string, key: number): unknown {
    this.#peek();
    this.lines.set(path, this.#line);
    const start = this.#at;
    const value = this.#bareValue(path);
    this.spans.set(path, { key, start, end: this.#at });
    return value;
  }

  #bareValue(path: string): unknown {
    const token = this.#peek();
    if (this.#take("{")) return this.#object(path);
    if (this.#take("[")) return this.#array(path);
    if (token.startsWith('"')) return this.#string();
    if (!/^[-+.\w]/.test(token)) this.#fail(`a value is expected, found ${this.#found()}`);
    if (!PLAIN_VALUE.test(token)) this.#fail(`${JSON.stringify(token)} is not a JSON value; texts need double quotes`);
    this.#at += token.length;
    return JSON.parse(token);
  }

  #object(path: string): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (let open = !this.#take("}"); open; open = this.#goesOn("}")) {
      if (!this.#peek().startsWith('"')) this.#fail(`a key in double quotes is expected, found ${this.#found()}`);
      const line = this.#line;
      const keyAt = this.#at;
      const key = this.#string();
      const quoted = JSON.stringify(key);
      if (!this.#take(":")) this.#fail(`":" is expected after the key ${quoted}, found ${this.#found()}`);
      if (Object.hasOwn(record, key)) {
        this.notices.push({ line, message: `the key ${quoted} occurs twice; only the last counts` });
      }
      const value = this.#value(path === "" ? key : `${path}.${key}`, keyAt);
      Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
    }
    return record;
  }

  #array(path: string): unknown[] {
    const items: unknown[] = [];
    for (let open = !this.#take("]"); open; open = this.#goesOn("]")) {
      items.push(this.#value(`${path}[${items.length}]`, this.#at));
    }
    return items;
  }

  /** After an element: whether another one follows. */
  #goesOn(end: "}" | "]"): boolean {
    if (this.#take(end)) return false;
    const line = this.#line;
    if (!this.#take(",")) this.#fail(`"," or "${end}" is expected, found ${this.#found()}`);
    if (!this.#take(end)) return true;
    this.notices.push({ line, message: `a comma before "${end}"; JSON has none` });
    return false;
  }

  #string(): string {
    const token = this.#peek();
    if (!WHOLE_TEXT.test(token)) this.#fail("a text has no closing quote on its line");
    const good = GOOD_PART.exec(token.slice(1, -1))?.[0].length ?? 0;
    if (good < token.length - 2) this.#failInText(token, good + 1);
    this.#at += token.length;
    return JSON.parse(token);
  }

  #failInText(token: string, at: number): never {
    this.#at += at + 1;
    if (token[at] !== "\\") this.#fail("a control character in a text; write it as \\u00..");
    this.#at++;
    const code = JSON.stringify(token.slice(at + 2, at + 6));
    if (token[at + 1] === "u") this.#fail(`\\u needs four hexadecimal digits, found ${code}`);
    this.#fail(`\\${token[at + 1]} is not an escape JSON knows; a backslash is written \\\\`);
  }

  /** The next token that counts, not yet taken; "" at the end. White space is skipped, comments are noted. */
  #peek(): string {
    for (;;) {
      TOKEN.lastIndex = this.#at;
      const token = TOKEN.exec(this.#text)?.[0] ?? "";
      const comment = /^(?:\/[/*]|#)/.test(token);
      if (!comment && !/^[ \t\r\n]/.test(token)) return token;
      if (comment) this.notices.push({ line: this.#line, message: "a comment; JSON has none" });
      if (comment && !WHOLE_COMMENT.test(token)) this.#fail("a comment is not closed");
      this.#at += token.length;
      this.#line += token.split("\n").length - 1;
      if (token.includes("\n")) this.#lineStart = this.#at - token.length + token.lastIndexOf("\n") + 1;
    }
  }

  #take(mark: string): boolean {
    if (this.#peek() !== mark) return false;
    this.#at += mark.length;
    return true;
  }

  #found(): string {
    return this.#at >= this.#text.length ? "the end of the file" : JSON.stringify(this.#text[this.#at]);
  }

  #fail(message: string): never {
    throw new JsonProblem(message, this.#line, this.#at - this.#lineStart + 1);
  }
}
