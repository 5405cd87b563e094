import { OutcomeBook } from "../driver/outcome-book.ts";
import { type History, readHistory } from "../journal/history.ts";
import { journalIn } from "../run-directory/open-run.ts";
import { type RunFile, readRunFile } from "../run-directory/run-file.ts";
import { withoutAsides } from "../values/aside.ts";
import { isRecord } from "../values/plain-json.ts";
import { digestOf, toldAsks } from "./told.ts";

/** How two runs compare. */
export interface RunDiff {
  readonly same: boolean;
  readonly tells: readonly [number, number];
  readonly digests: readonly [string, string];
  /** The first task that is not the same in both. */
  readonly first: FirstDifference | undefined;
  /** In which fields outcomes of the same task are not equal, over the whole run; none if some have nothing in common. */
  readonly fields: readonly string[];
  /** Settings that shape the answer and are not equal. */
  readonly settings: readonly string[];
}

/** The first ask where two runs part, and what each has there. */
export interface FirstDifference {
  readonly ask: number;
  readonly what: "key" | "candidate" | "outcome" | "length";
  readonly sides: readonly [string, string];
}

const LONGEST_SHOWN = 200;

/** Names the first task where two runs differ, from their journals alone. */
export function diffRuns(a: string, b: string): RunDiff {
  const left = open(a);
  const right = open(b);
  try {
    return {
      ...compare(left, right),
      settings: compareSettings(left.file, right.file),
    };
  } finally {
    left.book.close();
    right.book.close();
  }
}

interface Side {
  readonly file: RunFile;
  readonly history: History;
  readonly book: OutcomeBook;
}

function open(directory: string): Side {
  const path = journalIn(directory);
  const file = readRunFile(directory);
  const history = readHistory(path);
  return { file, history, book: new OutcomeBook(history, path) };
}

function compare(left: Side, right: Side): Omit<RunDiff, "settings"> {
  const digests = [left, right].map((side) => digestOf(side.history, (key) => textOf(side, key)));
  const [a, b] = digests;
  const first = firstDifference(left, right);
  return {
    same: first === undefined && a?.digest === b?.digest,
    tells: [a?.tells ?? 0, b?.tells ?? 0],
    digests: [a?.digest ?? "", b?.digest ?? ""],
    first,
    fields: first?.what === "outcome" ? outcomeFields(left, right) : [],
  };
}

function outcomeFields(left: Side, right: Side): string[] {
  const fields = new Set<string>();
  for (const { key } of toldAsks(left.history)) {
    const [mine, theirs] = [left, right].map((side) => textOf(side, key));
    if (mine === theirs || theirs === "") continue;
    for (const { path } of differences("", JSON.parse(mine), JSON.parse(theirs))) {
      if (path === "") return [];
      fields.add(path.slice(1));
    }
  }
  return [...fields];
}

function firstDifference(left: Side, right: Side): FirstDifference | undefined {
  const others = toldAsks(right.history);
  for (const mine of toldAsks(left.history)) {
    const next = others.next();
    if (next.done === true) return { ask: mine.ask, what: "length", sides: [mine.key, "(nothing told)"] };
    const theirs = next.value;
    const { ask } = mine;
    if (mine.key !== theirs.key) return { ask, what: "key", sides: [mine.key, theirs.key] };
    const hashes = [left.history.askHashes[mine.ask] ?? "", right.history.askHashes[theirs.ask] ?? ""] as const;
    if (hashes[0] !== hashes[1]) return { ask, what: "candidate", sides: hashes };
    const texts = [textOf(left, mine.key), textOf(right, theirs.key)] as const;
    if (mine.ok !== theirs.ok || texts[0] !== texts[1]) return { ask, what: "outcome", sides: aroundDifference(texts) };
  }
  const rest = others.next();
  return rest.done === true
    ? undefined
    : { ask: rest.value.ask, what: "length", sides: ["(nothing told)", rest.value.key] };
}

function textOf(side: Side, key: string): string {
  return withoutAsides(side.book.get(key)?.encoded ?? "");
}

/** Of long texts what is around the first place where they differ: their beginnings may be the same. */
function aroundDifference([a, b]: readonly [string, string]): [string, string] {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  const from = same < LONGEST_SHOWN / 2 ? 0 : same - LONGEST_SHOWN / 4;
  const part = (text: string) => `${from > 0 ? "…" : ""}${shown(text.slice(from))}`;
  return [part(a), part(b)];
}

function shown(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)`;
}

function compareSettings(a: RunFile, b: RunFile): string[] {
  const fields = [
    "tool",
    "options",
    "seed",
    "lookahead",
    "retries",
    "timeoutMs",
    "onFailure",
    "context",
    "inputs",
    "evaluator",
  ] as const;
  // A context is written down encoded; what differs in it is worth naming too.
  const plain = (file: RunFile, field: (typeof fields)[number]): unknown =>
    field === "context" ? JSON.parse(file.context) : file[field];
  return fields
    .flatMap((field) => differences(field, plain(a, field), plain(b, field)))
    .map(({ path, sides: [left, right] }) => `${path}: ${shown(left ?? "none")} against ${shown(right ?? "none")}`);
}

interface Difference {
  readonly path: string;
  readonly sides: readonly [string | undefined, string | undefined];
}

/** The innermost fields that are not equal, by their path. */
function differences(path: string, a: unknown, b: unknown): Difference[] {
  const sides = [JSON.stringify(a), JSON.stringify(b)] as const;
  if (sides[0] === sides[1]) return [];
  if (!isRecord(a) || !isRecord(b)) return [{ path, sides }];
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return fields.flatMap((field) => differences(`${path}.${field}`, a[field], b[field]));
}
