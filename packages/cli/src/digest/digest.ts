import { type DigestSetup, type SourceFile, SummaryCache } from "@coppice/agents/digest";
import { UsageError } from "@coppice/engine";
import { printRequests } from "../consult/dry-run.ts";
import { runConsultation } from "../consult/run-consultation.ts";
import { consultSetup } from "../consult/setup.ts";
import { type DigestRecord, firstRequests, planDigest, readSources } from "./plan-digest.ts";
import type { DigestFlags } from "./register.ts";

const USUAL_QUESTION = "What is this file for, and what in it matters most to somebody who will work with it?";

/** `coppice digest`: a run whose result is one short summary per file. */
export async function digest(files: readonly string[], flags: DigestFlags): Promise<void> {
  const consult = consultSetup(flags);
  const question = (flags.question ?? USUAL_QUESTION).trim();
  if (question === "") throw new UsageError("--question is empty: say what you want to know");
  const setup: DigestSetup = {
    question,
    model: consult.modelFor().reference,
    limits: { maxLines: flags.maxLines, maxWords: flags.maxWords },
    window: flags.window,
    tuning: consult.tuning,
  };
  const paths = [...new Set(files)];
  const sources = await readSources(paths, flags.maxBytes);
  const [first] = sources;
  if (first !== undefined && sources.every(({ state }) => state !== "read")) {
    throw new UsageError(`there is nothing to read: ${sources.map(problemOf).join("; ")}`);
  }
  const known = flags.fresh === true ? {} : knownSummaries(new SummaryCache(flags.summaries, setup), sources);
  if (flags.dryRun === true) {
    printRequests(firstRequests(setup, sources, known), consult.models, flags.json ?? false);
    return;
  }
  const record: DigestRecord = {
    setup,
    paths,
    maxBytes: flags.maxBytes,
    known,
    summaries: flags.summaries,
    minSuccess: flags.minSuccess,
    ...(flags.maxCost === undefined ? {} : { maxCost: flags.maxCost }),
  };
  const planned = planDigest(record, sources, consult.context);
  await runConsultation(planned, flags, flags.concurrency);
}

function problemOf(source: SourceFile): string {
  return source.state === "read" ? "" : `${source.path}: ${source.problem}`;
}

function knownSummaries(cache: SummaryCache, sources: readonly SourceFile[]): Readonly<Record<string, string>> {
  const known: Record<string, string> = {};
  for (const source of sources) {
    const summary = source.state === "read" ? cache.get(source.hash, source.path) : undefined;
    if (summary !== undefined) known[source.path] = summary;
  }
  return known;
}
