import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import type { Proposal } from "../contract/search.ts";
import { encode } from "../values/encode.ts";
import { cutText } from "../worker/cut-text.ts";
import type { RunRecord } from "./run-record.ts";

/** The search broke its contract: a programming error, said with the place at which it happened. */
export class SearchError extends Error {
  override readonly name = "SearchError";
}

/** How many checksums there are. */
const SUMS = 2 ** 32;
/** Of so many candidates a shortened text is kept; whoever gives one key to two does so early. */
const SHOWN_ASKS = 1000;

/** Calls the search; what it throws is its own programming error and is reported as such. */
export function callSearch<Answer>(call: string, method: () => Answer, asks: number, tells: number): Answer {
  try {
    return method();
  } catch (error) {
    const place = `${asks} asks and ${tells} tells`;
    throw new SearchError(`${call} threw after ${place}: ${messageOf(error)}${thrownAt(error)}`, { cause: error });
  }
}

/** What `ask()` returned, if that is a proposal at all: a search written in JavaScript may return anything. */
export function proposed<Candidate>(returned: Proposal<Candidate>): Proposal<Candidate> {
  const given: unknown = returned;
  if (given instanceof Promise || (typeof given === "object" && given !== null && "then" in given)) {
    throw new SearchError(
      "ask() returned a promise: a search answers at once; what takes time belongs in the evaluator, and `wait` is for what is not told yet",
    );
  }
  if (typeof given === "object" && given !== null) return returned;
  const what = given === undefined ? "nothing" : JSON.stringify(given);
  throw new SearchError(
    `ask() returned ${what}: expected a candidate, withdraw, wait or done, such as { kind: "done" }`,
  );
}

/** A candidate as text, under a key that may stand for it. */
export function candidateText(candidate: unknown, key: unknown, ask: number): string {
  if (typeof key !== "string") throw new SearchError(`ask ${ask} has no key: a candidate's key must be a string`);
  try {
    return encode(candidate);
  } catch (error) {
    throw new SearchError(`ask ${ask} (key ${JSON.stringify(key)}): the candidate cannot be sent: ${messageOf(error)}`);
  }
}

/** A key has one outcome: under two candidates it would be the wrong one for one of them. */
export class CandidateKeys {
  /** Of each key, the first ask and the checksum of its candidate in one number. */
  readonly #candidates = new Map<string, number>();
  readonly #shown = new Map<number, string>();

  /** The record says what an ask proposed whose text was not kept. */
  check(ask: number, key: string, text: string, record: Pick<RunRecord, "named">): void {
    const sum = crc32(text);
    const known = this.#candidates.get(key);
    if (known === undefined) {
      this.#candidates.set(key, ask * SUMS + sum);
      if (ask < SHOWN_ASKS) this.#shown.set(ask, shown(text));
    } else if (known % SUMS !== sum) {
      const first = Math.floor(known / SUMS);
      const other = this.#shown.get(first) ?? record.named(first);
      throw new SearchError(
        `ask ${ask} proposes ${shown(text)} under key ${JSON.stringify(key)}, under which ask ${first} proposed ${other}: two candidates need two keys`,
      );
    }
  }
}

/** What calls the search: below it in a stack there is nothing of the search's. */
const CALLER = fileURLToPath(new URL("./driver.ts", import.meta.url));

/** Where an error was thrown, ` (search.ts:12)`, for messages of one line; nothing if its stack does not say. */
function thrownAt(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  for (const frame of frames) {
    const [, place, line] = /[ (](file:\/\/\S+|\/[^():]+):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (place === undefined || place.includes("/node_modules/")) continue;
    const path = place.startsWith("file:") ? fileURLToPath(place) : place;
    if (path === CALLER) return "";
    const fromHere = relative("", path);
    return ` (${fromHere.startsWith("..") ? path : fromHere}:${line})`;
  }
  return "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A candidate in a message. What is cut is copied, so that it does not keep the whole in memory. */
function shown(text: string): string {
  return text.length <= 200 ? text : Buffer.from(cutText(text, 200)).toString();
}
