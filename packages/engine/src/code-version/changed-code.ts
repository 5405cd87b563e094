import { realpathSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { History } from "../journal/history.ts";
import type { RunFile } from "../run-directory/run-file.ts";
import { UsageError } from "../usage-error.ts";
import { type CodeVersion, codeVersion, stampOf } from "./code-version.ts";

/** An evaluator as a record names it: where it was, and which code. */
export type RecordedCode = RunFile["evaluator"];

const MOST_NAMED = 3;

/** What `run.json` keeps of an evaluator's code. */
export function recordedCode(url: string, besides?: readonly string[]): RecordedCode {
  return recordOf(url, codeVersion(fileURLToPath(url), besides));
}

function recordOf(url: string, { hash, files, packages }: CodeVersion): RecordedCode {
  return { url, version: hash.slice(0, 16), files, packages };
}

/** The code a session works with. Workers read it when they start: one that starts later may find something else. */
export class SessionCode {
  readonly recorded: RecordedCode;
  readonly #besides: readonly string[] | undefined;
  #stamps: CodeVersion["stamps"];

  constructor(url: string, besides?: readonly string[]) {
    const version = codeVersion(fileURLToPath(url), besides);
    this.#besides = besides?.map((path) => realpathSync.native(path));
    this.recorded = recordOf(url, version);
    this.#stamps = version.stamps;
  }

  /** The same for files that no module loads: whoever starts a program has it read them each time. */
  changedBesides(): string | undefined {
    const same = this.#besides?.every((path) => stampOf(path) === this.#stamps.get(path)) ?? true;
    return same ? undefined : this.changed();
  }

  /** Names what has changed on disk since; reads only what may have. */
  changed(): string | undefined {
    if ([...this.#stamps].every(([path, stamp]) => stampOf(path) === stamp)) return undefined;
    const { url } = this.recorded;
    try {
      const version = codeVersion(fileURLToPath(url), this.#besides);
      this.#stamps = version.stamps;
      return changedCode(this.recorded, recordOf(url, version));
    } catch {
      return seenFromHere(".", url); // somebody is moving files about
    }
  }
}

/** Names what is not the same in both, as people know it; undefined when it is the same code. */
export function changedCode(was: RecordedCode, is: RecordedCode): string | undefined {
  if (was.version === is.version) return undefined;
  // Earlier records know a single file; there is nothing to compare with.
  if (was.files === undefined || is.files === undefined) return "its code (an earlier coppice recorded one file of it)";
  const [before, now] = [was.files, is.files];
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  const files = [...paths].filter((path) => before[path] !== now[path]).map((path) => seenFromHere(path, is.url));
  const left = new Set(was.packages).difference(new Set(is.packages));
  const come = new Set(is.packages).difference(new Set(was.packages));
  const named = [...files, ...come, ...[...left].map((name) => `${name} (gone)`)];
  if (named.length === 0) return "where its imports lead";
  const rest = named.length - MOST_NAMED;
  return named.slice(0, MOST_NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** A change of code, as a journal tells of it. */
type CodeChange = History["changes"][number];

/**
 * Refuses to go on with a run whose evaluator is different code now, unless that was accepted. A run that is finished
 * evaluates nothing more, so that it may be read; one without outcomes has nothing to mix with.
 */
export function checkCode(file: RunFile, is: RecordedCode, history: History, accept: boolean): CodeChange | undefined {
  const what = changedCode(history.changes.at(-1)?.evaluator ?? file.evaluator, is);
  if (what === undefined || history.end?.event === "finished") return undefined;
  const older = new Set([...history.successes.keys(), ...history.failures.keys()]);
  if (older.size > 0 && !accept) {
    throw new UsageError(
      `run ${file.id} was worked on with different code (${what}): put that back, start a new run, or resume with --accept-changes (what was evaluated before stays, and the run is reproducible from its journal only)`,
    );
  }
  return { type: "run", event: "changed", at: Date.now(), tell: answered(history), what, evaluator: is, older };
}

/** How many tells the journal can answer. */
function answered({ askKeys, withdrawn, successes, failures }: History): number {
  let tells = 0;
  for (const [ask, key] of askKeys.entries()) {
    if (withdrawn.has(ask)) continue;
    if (!successes.has(key) && !failures.has(key)) break;
    tells++;
  }
  return tells;
}

function seenFromHere(path: string, url: string): string {
  return relative(process.cwd(), resolve(dirname(fileURLToPath(url)), path))
    .split(sep)
    .join("/");
}
