import { createHash } from "node:crypto";
import { UsageError } from "@coppice/engine/usage-error";
import type { ConsultSetup } from "../consult/consult-setup.ts";
import {
  type BatchRecord,
  batchRecord,
  enough,
  type PreparedBatch,
  prepareConsultation,
} from "../consult/prepare-consultation.ts";
import type { ConsultContext } from "../models/gateway.ts";
import { type DigestResult, digestText } from "./digest-result.ts";
import { DigestSearch, type DigestSetup } from "./digest-search.ts";
import { readSource, type SourceFile } from "./source-file.ts";
import { SummaryCache } from "./summary-cache.ts";

/** What `run.json` keeps of a digest. */
export interface DigestRecord extends BatchRecord {
  readonly setup: DigestSetup;
  readonly paths: readonly string[];
  readonly maxBytes: number;
  /** Summaries that were known when it was started, by path. */
  readonly known: Readonly<Record<string, string>>;
  /** Where summaries are kept. */
  readonly summaries: string;
}

/** A digest as a run, the same for a start, a resume and a verification; on the files as they are now. */
export async function prepareDigest(
  record: DigestRecord,
  context: ConsultContext,
  read?: readonly SourceFile[],
): Promise<PreparedBatch<DigestResult>> {
  const { setup, paths, maxBytes, known, summaries, minSuccess } = record;
  const sources = read ?? (await readSources(paths, maxBytes));
  const search = new DigestSearch(setup, sources, known);
  const prepared = prepareConsultation({
    tool: "digest",
    record,
    search,
    context,
    models: [setup.model],
    describe: (result, _directory, charges) => digestText(result, charges),
    document: (result) => ({ ...result }),
    succeeded: ({ report: { summarised, withoutSummary } }) =>
      enough({ ok: summarised, failed: withoutSummary }, minSuccess),
  });
  const cache = new SummaryCache(summaries, setup);
  return {
    ...prepared,
    inputs: inputsOf(sources),
    before: async (directory, session) => {
      await prepared.before?.(directory, session);
      cache.check();
    },
    over: async (directory) => {
      // Also when it was interrupted: what was paid for is known from now on.
      const raw = search.rawSummaries();
      for (const source of sources) {
        const summary = raw.get(source.path);
        if (source.state === "read" && summary !== undefined) cache.put(source.hash, source.path, summary);
      }
      await prepared.over?.(directory);
    },
  };
}

/** What a digest can be told; named like the options of its command. */
export interface DigestChoices extends BatchRecord {
  readonly question?: string;
  readonly maxLines: number;
  readonly maxWords: number;
  readonly window: number;
  readonly maxBytes: number;
  /** Asks again where a summary is known. */
  readonly fresh?: boolean;
  readonly summaries: string;
}

const USUAL_QUESTION = "What is this file for, and what in it matters most to somebody who will work with it?";

/** A digest from what was chosen, everything checked. Reads the files; sends nothing. */
export async function composeDigest(
  files: readonly string[],
  choices: DigestChoices,
  consult: ConsultSetup,
): Promise<{ readonly record: DigestRecord; readonly sources: readonly SourceFile[] }> {
  const { maxLines, maxWords, window, maxBytes, summaries } = choices;
  const question = (choices.question ?? USUAL_QUESTION).trim();
  if (question === "") throw new UsageError("--question is empty: say what you want to know");
  const setup: DigestSetup = {
    question,
    model: consult.modelFor().reference,
    limits: { maxLines, maxWords },
    window,
    tuning: consult.tuning,
  };
  const paths = [...new Set(files)];
  const sources = await readSources(paths, maxBytes);
  if (sources.length > 0 && sources.every(({ state }) => state !== "read")) {
    throw new UsageError(`there is nothing to read: ${sources.map(problemOf).join("; ")}`);
  }
  const known = choices.fresh === true ? {} : new SummaryCache(summaries, setup).known(sources);
  return { record: { setup, paths, maxBytes, known, summaries, ...batchRecord(choices) }, sources };
}

function readSources(paths: readonly string[], maxBytes: number): Promise<SourceFile[]> {
  return Promise.all(paths.map((path) => readSource(path, { maxBytes })));
}

/** A run is not continued on files that have changed. */
function inputsOf(sources: readonly SourceFile[]): string {
  const facts = sources.map((source) => [source.path, source.state === "read" ? source.hash : source.state]);
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

function problemOf(source: SourceFile): string {
  return source.state === "read" ? "" : `${source.path}: ${source.problem}`;
}
