import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../files/write-whole.ts";
import { UsageError } from "../usage-error.ts";
import { checkIdentity } from "./run-identity.ts";

/** Raised when a reader of older code could misunderstand what this code writes. */
export const RUN_FORMAT = 1;

/** What was asked of a run: enough to start it again from nothing. Written once, before anything happens. */
export interface RunFile {
  readonly format: number;
  readonly id: string;
  /** Which tool rebuilds the search: `run` for a user's own module. */
  readonly tool: string;
  /** The tool's own options; plain JSON. */
  readonly options: unknown;
  readonly seed: number;
  readonly lookahead: number;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly onFailure: "continue" | "stop";
  /** Longer values are refused, which a search is told. */
  readonly maxValueBytes: number;
  readonly evaluator: {
    readonly url: string;
    /** The start of a SHA-256 over its code and all that loads. */
    readonly version: string;
    /** That code file by file, as seen from the evaluator's directory; older records have none. */
    readonly files?: Readonly<Record<string, string>>;
    readonly packages?: readonly string[];
  };
  /** Encoded context, as the workers got it. */
  readonly context: string;
  /** Digest of the inputs the tool read, if it read any. */
  readonly inputs: string | undefined;
  readonly pool: { readonly kind: string };
  readonly versions: { readonly coppice: string; readonly node: string };
  readonly createdAt: string;
}

const NEEDED = [
  ["id", "string"],
  ["tool", "string"],
  ["seed", "number"],
  ["lookahead", "number"],
  ["evaluator", "object"],
  ["context", "string"],
  ["pool", "object"],
  ["versions", "object"],
  ["createdAt", "string"],
] as const;
const NAME = "run.json";
/** The name of the journal in a run's directory. */
export const JOURNAL_NAME = "journal.ndjson";

export function writeRunFile(directory: string, run: RunFile): void {
  writeDurably(join(directory, NAME), `${JSON.stringify(run, null, 2)}\n`);
}

/** Reads `run.json`; says in one line what is wrong with it, or that it is not the record its journal was begun with. */
export function readRunFile(directory: string): RunFile {
  const path = join(directory, NAME);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`${directory} is not a run: it has no ${NAME}`);
  }
  if (text.trim() === "") {
    throw new UsageError(
      `${path} is empty: what was asked of the run is lost, so it cannot be resumed; start it again`,
    );
  }
  let run: RunFile;
  try {
    run = JSON.parse(text) as RunFile;
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof run !== "object" || run === null || typeof run.format !== "number") {
    throw new UsageError(`${path} has no format number: it was not written by coppice`);
  }
  if (run.format > RUN_FORMAT) {
    throw new UsageError(
      `${path} has format ${run.format}, this coppice reads up to ${RUN_FORMAT}: use the newer version that wrote it`,
    );
  }
  const wrong = NEEDED.find(([field, type]) => typeof run[field] !== type || run[field] === null);
  if (wrong !== undefined) throw new UsageError(`${path} lacks the field "${wrong[0]}", or it is not a ${wrong[1]}`);
  checkIdentity(directory, JOURNAL_NAME, run);
  return run;
}
