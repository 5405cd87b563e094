import { nearestName } from "../files/misspelt.ts";
import type { PreparedRun } from "../session/prepared-run.ts";
import { UsageError } from "../usage-error.ts";
import { isObject } from "../values/plain-json.ts";
import type { JournalOptions, StartOptions } from "./start-options.ts";

/** What an option must be: in words, and how to tell. Numbers are checked with their ranges. */
interface Kind {
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

const oneOfType = (type: string, words: string): Kind => ({ words, fits: (value) => typeof value === type });
const withMethod = (name: string, words: string): Kind => ({
  words,
  fits: (value) => isObject(value) && name in value,
});
const text = oneOfType("string", "a text");
const yesOrNo = oneOfType("boolean", "true or false");
const callable = oneOfType("function", "a function");
const object: Kind = { words: "an object", fits: isObject };
const texts: Kind = { words: "a list of texts", fits: isTexts };
const checkedLater: Kind = { words: "", fits: () => true };

const START: Record<keyof StartOptions<unknown, unknown, unknown>, Kind> = {
  search: { words: "an object with ask(), tell() and result()", fits: isObject },
  evaluator: {
    words: "the path or URL of a module",
    fits: (value) => (typeof value === "string" && value !== "") || value instanceof URL,
  },
  evaluatorFiles: texts,
  evaluatorFolders: texts,
  context: checkedLater,
  shared: object,
  resources: object,
  pool: withMethod("open", "a pool, such as threads({ workers: 4 })"),
  lookahead: checkedLater,
  wholeBatches: yesOrNo,
  seed: checkedLater,
  journal: { words: 'an object, such as { directory: "runs/first" }', fits: isObject },
  retries: checkedLater,
  backoffMs: checkedLater,
  timeoutMs: checkedLater,
  setupTimeoutMs: checkedLater,
  maxTimeMs: checkedLater,
  onFailure: checkedLater,
  policy: callable,
  admit: callable,
  prepare: callable,
  drainMs: checkedLater,
  maxValueBytes: checkedLater,
  timers: yesOrNo,
  impure: text,
  cache: withMethod("put", "what openCache() returned"),
};

/** What a prepared run has besides, which may be spread into the options: it is for who takes the run to its end. */
const PREPARED: Record<Exclude<keyof PreparedRun, keyof typeof START>, true> = {
  tool: true,
  record: true,
  shape: true,
  inputs: true,
  lockStaleMs: true,
  isPrivate: true,
  keepsTime: true,
  before: true,
  placed: true,
  retold: true,
  begun: true,
  over: true,
  finish: true,
  pages: true,
  partial: true,
  describe: true,
  remarks: true,
  document: true,
  exitCode: true,
  resumeWith: true,
  farewell: true,
};

const JOURNAL: Record<keyof JournalOptions, Kind> = {
  directory: { words: "a text", fits: (value) => typeof value === "string" && value !== "" },
  resume: yesOrNo,
  acceptChanges: yesOrNo,
  lockStaleMs: oneOfType("number", "a number of milliseconds"),
  onLockWait: callable,
  durable: { words: '"grouped" or "strict"', fits: (value) => value === "grouped" || value === "strict" },
  tool: text,
  options: checkedLater,
  inputs: text,
};

/** Refuses, in one line, what only a program without types can give to `start`. */
export function checkGiven(options: unknown): void {
  if (!isObject(options)) {
    throw new UsageError(`start needs its options, such as { search, evaluator }, not ${shown(options)}`);
  }
  if (options.resume !== undefined) {
    throw new UsageError('start has no option "resume": it belongs in journal, beside directory');
  }
  check(options, START, { owner: "start", prefix: "", needed: ["search", "evaluator"] });
  for (const method of ["ask", "tell", "result"]) {
    if (typeof (options.search as Fields)[method] !== "function") throw new UsageError(`the search has no ${method}()`);
  }
  if (options.journal !== undefined) {
    check(options.journal as Fields, JOURNAL, { owner: "journal", prefix: "journal.", needed: ["directory"] });
  }
}

type Fields = Readonly<Record<string, unknown>>;

interface Place {
  readonly owner: string;
  readonly prefix: string;
  readonly needed: readonly string[];
}

function check(given: Fields, kinds: Readonly<Record<string, Kind>>, { owner, prefix, needed }: Place): void {
  for (const name of new Set([...needed, ...Object.keys(given)])) {
    if (kinds === START && Object.hasOwn(PREPARED, name)) continue;
    if (!Object.hasOwn(kinds, name)) {
      const meant = nearestName(name, Object.keys(kinds));
      const instead =
        meant === undefined ? `there are ${Object.keys(kinds).join(", ")}` : `${meant} is meant, it seems`;
      throw new UsageError(`${owner} has no option "${name}": ${instead}`);
    }
    if (given[name] === undefined && !needed.includes(name)) continue;
    const { words, fits } = kinds[name];
    if (!fits(given[name])) throw new UsageError(`${prefix}${name} must be ${words}, not ${shown(given[name])}`);
  }
}

/** Whether it is a list of nothing but texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** What was given instead, short enough for one line. */
export function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list of other things";
  if (isObject(value)) return "an object";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : String(value);
}
