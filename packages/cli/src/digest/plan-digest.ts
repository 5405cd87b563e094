import { createHash } from "node:crypto";
import {
  type DigestResult,
  DigestSearch,
  type DigestSetup,
  readSource,
  type SourceFile,
  SummaryCache,
} from "@coppice/agents/digest";
import type { Consultation, ConsultContext, ModelAnswer } from "@coppice/agents/models";
import type { PreparedRun } from "@coppice/engine";
import { plannedConsultation } from "../consult/planned-consultation.ts";
import { successExit } from "../consult/success-exit.ts";
import { digestText } from "./digest-text.ts";

/** What `run.json` keeps of a digest. */
export interface DigestRecord {
  readonly setup: DigestSetup;
  readonly paths: readonly string[];
  readonly maxBytes: number;
  /** Summaries that were known when it was started, by path. */
  readonly known: Readonly<Record<string, string>>;
  /** Where summaries are kept. */
  readonly summaries: string;
  readonly minSuccess: number;
  readonly maxCost?: number;
}

/** Reads the files, all at once. */
export function readSources(paths: readonly string[], maxBytes: number): Promise<SourceFile[]> {
  return Promise.all(paths.map((path) => readSource(path, { maxBytes })));
}

/** A digest as a run, the same for a start, a resume and a verification. */
export function planDigest(
  record: DigestRecord,
  sources: readonly SourceFile[],
  context: ConsultContext,
): PreparedRun<Consultation, ModelAnswer, DigestResult> {
  const { setup, known, summaries, minSuccess, maxCost } = record;
  const search = new DigestSearch(setup, sources, known);
  const planned = plannedConsultation({
    tool: "digest",
    record,
    search,
    context,
    models: [setup.model],
    maxCost,
    describe: digestText,
    document: (result: DigestResult) => ({ ...result }),
    exitCode: ({ report: { summarised, withoutSummary } }: DigestResult) =>
      successExit({ ok: summarised, failed: withoutSummary }, minSuccess),
  });
  return {
    ...planned,
    inputs: inputsOf(sources),
    over: async (directory) => {
      // Also when it was interrupted: what was paid for is known from now on.
      const cache = new SummaryCache(summaries, setup);
      const raw = search.rawSummaries();
      for (const source of sources) {
        const summary = raw.get(source.path);
        if (source.state === "read" && summary !== undefined) cache.put(source.hash, source.path, summary);
      }
      await planned.over?.(directory);
    },
  };
}

/** A run is not continued on other files. */
function inputsOf(sources: readonly SourceFile[]): string {
  const facts = sources.map((source) => [source.path, source.state === "read" ? source.hash : source.state]);
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

/** What is asked first: every part of every file. */
export function firstRequests(
  setup: DigestSetup,
  sources: readonly SourceFile[],
  known: Readonly<Record<string, string>>,
): Consultation[] {
  const search = new DigestSearch(setup, sources, known);
  const asked: Consultation[] = [];
  for (let next = search.ask(); next.kind === "candidate"; next = search.ask()) asked.push(next.candidate);
  return asked;
}
