/** A text that a module loads something by: as an import would (`module`), or as an address beside it (`address`). */
export interface Specifier {
  readonly text: string;
  readonly kind: "module" | "address";
}

/** White space and comments, written so that there is one way to read them. */
const GAP = String.raw`(?:\s|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//[^\n]*\n)*`;
const CALLED = String.raw`(?:import|require(?:\.resolve)?|import\.meta\.resolve)${GAP}\(`;
const LITERAL = String.raw`(?<quote>["'\x60])(?<text>(?:\\.|(?!\k<quote>)[^\\\n])*)\k<quote>`;
const LOADS = new RegExp(
  String.raw`\b(?:(?<from>from)|import|${CALLED}|(?<address>new\s+URL${GAP}\())${GAP}${LITERAL}`,
  "g",
);

/** An import that is gone when types are: it begins its line, and nothing in it could end a comment or a string. */
const TYPES_ONLY = /(?:^|\n)[ \t]*(?:import|export)\s+type\s+(?:\{[\w$\s,]*\}|\*(?:\s+as\s+[\w$]+)?|[\w$]+)\s+$/;
const LONGEST_LOOK_BACK = 2000;

/**
 * What a module (JavaScript or TypeScript) loads by a literal: imports, re-exports, dynamic imports, `require`,
 * `import.meta.resolve` and `new URL("…", import.meta.url)`, in the order of the text.
 *
 * This is a search for patterns and not a parser, on purpose. To tell a regular expression from a division takes a whole
 * parser, and one that is mistaken misses what follows. Here comments and strings that look like an import count as one:
 * a version that takes in too much is made again for nothing, one that takes in too little keeps a wrong answer.
 */
export function specifiers(code: string): Specifier[] {
  const found = new Map<string, Specifier>();
  for (const { index, groups = {} } of code.matchAll(LOADS)) {
    const { from, address, quote, text = "" } = groups;
    if (quote === "`" && text.includes("${")) continue;
    if (from !== undefined && TYPES_ONLY.test(code.slice(Math.max(0, index - LONGEST_LOOK_BACK), index))) continue;
    const kind = address === undefined ? "module" : "address";
    const specifier = { text: unescaped(text), kind } as const;
    found.set(`${kind} ${specifier.text}`, specifier);
  }
  return [...found.values()];
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi,
    (_, point?: string, four?: string, two?: string, plain?: string) => {
      const code = Number.parseInt(point ?? four ?? two ?? "", 16);
      return plain ?? (code <= 0x10ffff ? String.fromCodePoint(code) : "");
    },
  );
}
