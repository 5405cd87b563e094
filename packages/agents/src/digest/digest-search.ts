import type { SearchProgress } from "@coppice/engine";
import { ConsultationSearch, unfinishedText } from "../consult/consultation-search.ts";
import type { Tuning } from "../models/consultation.ts";
import { addCall, noCalls } from "../models/money/totals.ts";
import { type DigestResult, reportOf } from "./digest-result.ts";
import { FileReading } from "./file-reading.ts";
import type { SummaryLimits } from "./shorten.ts";
import type { SourceFile } from "./source-file.ts";

/** Everything that shapes a digest besides the files. */
export interface DigestSetup {
  readonly question: string;
  readonly model: string;
  readonly limits: SummaryLimits;
  /** Characters of a file that one request may hold. */
  readonly window: number;
  readonly tuning: Tuning;
}

/** One worker per file: every part of every file is asked at once, and parts become one summary when all are there. */
export class DigestSearch extends ConsultationSearch<DigestResult> {
  readonly #setup: DigestSetup;
  readonly #readings: readonly FileReading[];
  #totals = noCalls;

  /** `known` holds summaries of earlier digests by path. */
  constructor(setup: DigestSetup, sources: readonly SourceFile[], known: Readonly<Record<string, string>> = {}) {
    super();
    this.#setup = setup;
    this.#readings = sources.map(
      (source) =>
        new FileReading(
          setup,
          source,
          Object.hasOwn(known, source.path) ? known[source.path] : undefined,
          (consultation, answered) =>
            this.consult(consultation, "digest", (outcome) => {
              this.#totals = addCall(this.#totals, outcome);
              if (outcome.ok) answered(outcome.value.content, unfinishedText(outcome.value.unfinished ?? null));
              else answered(new Error(`${outcome.failure.type}: ${outcome.failure.message}`));
            }),
        ),
    );
  }

  result(): DigestResult {
    const files = this.#readings.map((reading) => reading.digest());
    const { question, model } = this.#setup;
    return { question, model, files, report: reportOf(files, this.#totals) };
  }

  /** What models wrote about each file that was asked about, unchecked: what a cache keeps. */
  rawSummaries(): ReadonlyMap<string, string> {
    return new Map(this.#readings.flatMap(({ path, raw }) => (raw === undefined ? [] : [[path, raw]])));
  }

  progress(): SearchProgress {
    const done = this.#readings.filter((reading) => reading.over).length;
    return { levels: [{ name: "Files", done, total: this.#readings.length }] };
  }
}
