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
  const { lines, notices } = reader;
  return {
    value,
    notices,
    lineOf(path) {
      for (let at = path; ; at = above(at)) {
        const line = lines.get(at);
        if (line !== undefined) return line;
        if (at === "") return 1;
      }
    },
  };
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("."), path.lastIndexOf("[")));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Reader {
  readonly lines = new Map<string, number>();
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
    this.#space();
    if (this.#at >= this.#text.length) this.#fail("the file is empty; an object is expected");
    const value = this.#value("");
    this.#space();
    if (this.#at < this.#text.length) this.#fail(`unexpected ${this.#here()} after the end of the document`);
    return value;
  }

  #value(path: string): unknown {
    this.lines.set(path, this.#line);
    const character = this.#text[this.#at];
    if (character === "{") return this.#object(path);
    if (character === "[") return this.#array(path);
    if (character === '"') return this.#string();
    const word = /[-+.\w]+/y;
    word.lastIndex = this.#at;
    const found = word.exec(this.#text)?.[0];
    if (found === undefined) return this.#fail(`a value is expected, found ${this.#here()}`);
    if (!/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(found)) {
      return this.#fail(`${JSON.stringify(found)} is not a JSON value; texts need double quotes`);
    }
    this.#at += found.length;
    return JSON.parse(found);
  }

  #object(path: string): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    this.#at++;
    for (;;) {
      this.#space();
      if (this.#take("}")) return record;
      if (this.#text[this.#at] !== '"') this.#fail(`a key in double quotes is expected, found ${this.#here()}`);
      const keyLine = this.#line;
      const key = this.#string();
      this.#space();
      if (!this.#take(":")) this.#fail(`":" is expected after the key ${JSON.stringify(key)}, found ${this.#here()}`);
      this.#space();
      if (Object.hasOwn(record, key)) {
        this.notices.push({
          line: keyLine,
          message: `the key ${JSON.stringify(key)} occurs twice; only the last counts`,
        });
      }
      const value = this.#value(path === "" ? key : `${path}.${key}`);
      Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
      if (this.#separated("}")) return record;
    }
  }

  #array(path: string): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    for (;;) {
      this.#space();
      if (this.#take("]")) return items;
      items.push(this.#value(`${path}[${items.length}]`));
      if (this.#separated("]")) return items;
    }
  }

  /** After an element: true when the container ends here. */
  #separated(end: "}" | "]"): boolean {
    this.#space();
    if (this.#take(end)) return true;
    const line = this.#line;
    if (!this.#take(",")) this.#fail(`"," or "${end}" is expected, found ${this.#here()}`);
    this.#space();
    if (this.#text[this.#at] === end) this.notices.push({ line, message: `a comma before "${end}"; JSON has none` });
    return false;
  }

  #string(): string {
    const start = this.#at;
    this.#at++;
    let text = "";
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character === "\n") {
        this.#at = start;
        this.#fail("a text has no closing quote on its line");
      }
      this.#at++;
      if (character === '"') return text;
      if (character !== "\\") {
        if (character.charCodeAt(0) < 0x20) this.#fail("a control character in a text; write it as \\u00..");
        text += character;
        continue;
      }
      const escaped = this.#text[this.#at++] ?? "";
      if (escaped === "u") {
        const code = this.#text.slice(this.#at, this.#at + 4);
        if (!/^[\da-fA-F]{4}$/.test(code))
          this.#fail(`\\u needs four hexadecimal digits, found ${JSON.stringify(code)}`);
        text += String.fromCharCode(Number.parseInt(code, 16));
        this.#at += 4;
      } else if (ESCAPES[escaped] === undefined) {
        this.#fail(`\\${escaped} is not an escape JSON knows; a backslash is written \\\\`);
      } else text += ESCAPES[escaped];
    }
  }

  /** Skips white space and notes comments. */
  #space(): void {
    for (;;) {
      const character = this.#text[this.#at];
      if (character === "\n") {
        this.#line++;
        this.#lineStart = ++this.#at;
      } else if (character === " " || character === "\t" || character === "\r") this.#at++;
      else if (this.#text.startsWith("//", this.#at) || character === "#") {
        this.notices.push({ line: this.#line, message: "a comment; JSON has none" });
        while (this.#at < this.#text.length && this.#text[this.#at] !== "\n") this.#at++;
      } else if (this.#text.startsWith("/*", this.#at)) this.#block();
      else return;
    }
  }

  #block(): void {
    this.notices.push({ line: this.#line, message: "a comment; JSON has none" });
    const end = this.#text.indexOf("*/", this.#at);
    if (end < 0) this.#fail("a comment is not closed");
    for (; this.#at < end + 2; this.#at++) {
      if (this.#text[this.#at] !== "\n") continue;
      this.#line++;
      this.#lineStart = this.#at + 1;
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #here(): string {
    return this.#at >= this.#text.length ? "the end of the file" : JSON.stringify(this.#text[this.#at]);
  }

  #fail(message: string): never {
    throw new JsonProblem(message, this.#line, this.#at - this.#lineStart + 1);
  }
}
