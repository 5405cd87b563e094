/** Something a persona wants to know before it decides. */
export interface InfoRequest {
  /** The same request with different capitals or punctuation has the same id. */
  readonly id: string;
  readonly text: string;
  readonly by: readonly string[];
  /** Who can know: the code, or a person. */
  readonly kind: "code" | "person";
  /** What to look for in the code. */
  readonly terms: readonly string[];
}

/** What became of a request. Every request is tried once; what nobody can answer is closed. */
export interface InfoAnswer {
  readonly id: string;
  readonly text: string;
  readonly answer: string | null;
  /** Where the answer comes from, or why there is none. */
  readonly from: string;
}

const MAX_TERMS = 3;

const codeWords =
  /\b(code|codebase|function|class|method|module|file|implement\w*|where is|usages?|import\w*|test coverage|existing|repository|source)\b/i;
const personWords =
  /\b(user|users|customer|you|your|budget|deadline|team|stakeholder|requirements?|prefer\w*|why|decision|metrics?|traffic|revenue|latency|numbers?|how many|how much|cost)\b/i;

/** Requests of a round without repetitions and without those tried before, in the order they were first made. */
export function newRequests(
  asked: readonly { readonly by: string; readonly text: string }[],
  tried: ReadonlySet<string>,
): InfoRequest[] {
  const found = new Map<string, InfoRequest>();
  for (const { by, text } of asked) {
    const id = requestId(text);
    if (id === "" || tried.has(id)) continue;
    const known = found.get(id);
    found.set(id, known === undefined ? requestOf(id, text, by) : { ...known, by: [...known.by, by] });
  }
  return [...found.values()];
}

/** Letters and digits only: "What is the budget?" is "what is the BUDGET". */
function requestId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function requestOf(id: string, text: string, by: string): InfoRequest {
  const terms = termsOf(text);
  const kind = terms.length > 0 && (codeWords.test(text) || !personWords.test(text)) ? "code" : "person";
  return { id, text: text.trim(), by: [by], kind, terms: kind === "code" ? terms : [] };
}

/** The first three things that look like names in code: quoted, with inner capitals, underscores, dots or slashes. */
function termsOf(text: string): string[] {
  const quoted = [...text.matchAll(/["'`“]([^"'`”]{2,60})["'`”]/g)].map(([, inner]) => inner ?? "");
  const named = [
    ...text.matchAll(
      /\b(?:[A-Z]\w*[A-Z]\w*|[a-z]+[A-Z]\w*|\w+_\w+|[\w-]{1,99}(?:[./][\w-]{1,99})+|[A-Z][a-z]\w{2,})\b/g,
    ),
  ]
    .filter(({ 0: word, index }) => index > 0 || /[_./]|[a-z][A-Z]/.test(word))
    .map(([word]) => word);
  return [...new Set([...quoted, ...named])].slice(0, MAX_TERMS);
}

/** The answer somebody wrote down beforehand: that of the first text which the request contains. */
export function preparedAnswer(text: string, answers: Readonly<Record<string, string>>): string | undefined {
  const asked = requestId(text);
  const match = Object.keys(answers).find((part) => requestId(part) !== "" && asked.includes(requestId(part)));
  return match === undefined ? undefined : answers[match];
}
