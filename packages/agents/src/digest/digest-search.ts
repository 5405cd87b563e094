import type { Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import { addCall, noCalls } from "../models/call-totals.ts";
import type { Consultation, ModelAnswer, ModelRequest } from "../models/contract.ts";
import { consultationKey } from "../models/request-key.ts";
import type { DigestResult } from "./digest-record.ts";
import { reportOf } from "./digest-report.ts";
import { type Answered, FileReading } from "./file-reading.ts";
import type { SummaryLimits } from "./shorten.ts";
import type { SourceFile } from "./source-file.ts";

/** Everything that shapes a digest besides the files. */
export interface DigestSetup {
  readonly question: string;
  readonly model: string;
  readonly limits: SummaryLimits;
  /** Characters of a file that one request may hold. */
  readonly window: number;
  /** Fields of every request. */
  readonly tuning: Pick<ModelRequest, "temperature" | "maxTokens" | "effort">;
}

/** One worker per file: every part of every file is asked at once, and parts become one summary when all are there. */
export class DigestSearch implements Search<Consultation, ModelAnswer, DigestResult> {
  readonly #setup: DigestSetup;
  readonly #readings: readonly FileReading[];
  readonly #awaited = new Map<number, { readonly key: string; readonly answered: Answered }>();
  readonly #queue: { readonly consultation: Consultation; readonly answered: Answered }[] = [];
  #totals = noCalls;
  #asked = 0;

  /** `known` holds summaries of earlier digests by path. */
  constructor(setup: DigestSetup, sources: readonly SourceFile[], known: Readonly<Record<string, string>> = {}) {
    this.#setup = setup;
    this.#readings = sources.map(
      (source) =>
        new FileReading(setup, source, known[source.path], (consultation, answered) =>
          this.#queue.push({ consultation, answered }),
        ),
    );
    for (const reading of this.#readings) reading.begin();
  }

  ask(): Proposal<Consultation> {
    const next = this.#queue.shift();
    if (next === undefined) return { kind: this.#awaited.size > 0 ? "wait" : "done" };
    const { consultation, answered } = next;
    const key = consultationKey(consultation, "digest");
    this.#awaited.set(this.#asked++, { key, answered });
    return { kind: "candidate", candidate: consultation, key };
  }

  tell(outcome: Outcome<ModelAnswer>, ask: number): void {
    const awaited = this.#awaited.get(ask);
    this.#awaited.delete(ask);
    this.#totals = addCall(this.#totals, outcome);
    if (outcome.ok) awaited?.answered(outcome.value.content);
    else awaited?.answered(new Error(`${outcome.failure.type}: ${outcome.failure.message}`));
  }

  result(): DigestResult {
    const files = this.#readings.map((reading) => reading.digest());
    const { question, model } = this.#setup;
    return { question, model, files, report: reportOf(files, this.#totals) };
  }

  /** Asks without an outcome, with their keys. */
  outstanding(): ReadonlyMap<number, string> {
    return new Map([...this.#awaited].map(([ask, { key }]) => [ask, key]));
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
