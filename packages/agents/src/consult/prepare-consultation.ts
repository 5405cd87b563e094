import { join } from "node:path";
import type { Outcome, Search } from "@coppice/engine";
import { JOURNAL_NAME, readJournal } from "@coppice/engine/records";
import type { PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { decode } from "@coppice/engine/values";
import { chooseModel } from "../models/choose-model.ts";
import { type ConsultContext, closeGateway, gatewayFor } from "../models/gateway.ts";
import { consultEvaluator } from "../models/index.ts";

/** What `run.json` keeps of every tool that asks many things, each of which may fail alone. */
export interface BatchRecord {
  /** Share of answers that makes it a success, 0–1. */
  readonly minSuccess: number;
  /** The most to spend in all sessions of the run together, in US dollars. */
  readonly maxCost?: number;
}

/** The part of a tool's record that is the same for all of them. */
export function batchRecord({ minSuccess, maxCost }: BatchRecord): BatchRecord {
  return { minSuccess, ...(maxCost === undefined ? {} : { maxCost }) };
}

export interface Consultations<Candidate, Value, Result> {
  readonly tool: string;
  readonly record: { readonly maxCost?: number };
  /** How many asks may be unanswered; the engine's own default if absent. */
  readonly lookahead?: number;
  readonly search: Search<Candidate, Value, Result> & {
    /** Asks without an outcome, with their keys: what is told of them when the run is interrupted. */
    outstanding?(): ReadonlyMap<number, string>;
  };
  readonly context: ConsultContext;
  /** Every model that may be asked. */
  readonly models: readonly string[];
  readonly describe: (result: Result, directory: string) => string;
  readonly document: (result: Result, directory: string) => Readonly<Record<string, unknown>>;
  readonly succeeded: (result: Result) => boolean;
}

/**
 * A run that asks models, with its money watched over: what earlier sessions paid counts, and when the budget is spent
 * the run is interrupted with everything that was answered.
 */
export function prepareConsultation<Candidate, Value, Result>({
  tool,
  record,
  lookahead,
  search,
  context,
  models,
  describe,
  document,
  succeeded,
}: Consultations<Candidate, Value, Result>): PreparedRun<Candidate, Value, Result> {
  const limitOf = (session: { readonly maxCost?: number }) => session.maxCost ?? record.maxCost;
  return {
    tool,
    isPrivate: true,
    record: () => record,
    ...(lookahead === undefined ? {} : { shape: { lookahead } }),
    search,
    evaluator: consultEvaluator,
    context,
    impure: "a language model answered",
    before: (directory, session) => {
      checkKeys(context, models);
      const limit = limitOf(session);
      const spent = spentIn(directory);
      if (limit === undefined || spent < limit) return;
      throw new UsageError(
        `the budget is spent: $${spent.toFixed(4)} of $${limit.toFixed(4)}; give more with --max-cost`,
      );
    },
    begun: (run, directory, session) => {
      const limit = limitOf(session);
      if (limit === undefined) return;
      gatewayFor(context).budget.limit(limit, spentIn(directory), () =>
        run.interrupt(`stopped: the next request does not fit into the budget of $${limit}`),
      );
    },
    over: () => closeGateway(context),
    partial: (directory) => {
      const outcomes = outcomesIn<Value>(directory);
      for (const [ask, key] of search.outstanding?.() ?? []) {
        const outcome = outcomes.get(key);
        if (outcome !== undefined) search.tell(outcome, ask);
      }
      return search.result();
    },
    describe,
    document,
    exitCode: (end) => (end.state === "done" && !succeeded(end.result) ? 1 : undefined),
  };
}

/** Whether enough of the requests were answered. */
export function enough({ ok, failed }: { readonly ok: number; readonly failed: number }, minSuccess: number): boolean {
  return ok >= minSuccess * (ok + failed);
}

/** Also when a run is continued: without its key a model would only add failures to the journal. */
function checkKeys({ models: file, place, replay }: ConsultContext, models: readonly string[]): void {
  if (replay !== undefined) return;
  for (const typed of new Set(models)) chooseModel(file, place, process.env, { typed });
}

/** What the answers in a run's journal cost; 0 when there is none yet. */
function spentIn(directory: string): number {
  let spent = 0;
  for (const outcome of outcomesIn<{ readonly cost?: number }>(directory).values()) {
    if (outcome.ok) spent += outcome.value.cost ?? 0;
  }
  return spent;
}

function outcomesIn<Value>(directory: string): Map<string, Outcome<Value>> {
  const outcomes = new Map<string, Outcome<Value>>();
  try {
    readJournal(join(directory, JOURNAL_NAME), (entry) => {
      if (entry.type === "completed") outcomes.set(entry.key, { ok: true, value: decode(entry.value) as Value });
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return outcomes;
}
