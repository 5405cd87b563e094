import type { Outcome, Search } from "@coppice/engine";
import type { PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { decode } from "@coppice/engine/values";
import { chooseModel } from "../models/choose-model.ts";
import type { Consultation, ModelAnswer, WrittenAnswer } from "../models/consultation.ts";
import { type ConsultContext, closeGateway, gatewayFor } from "../models/gateway.ts";
import { consultEvaluator } from "../models/index.ts";
import { type Charges, chargesIn, keepStopped, readIfThere } from "./charges.ts";

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

/** A run whose tasks are requests to models. */
export type PreparedBatch<Result> = PreparedRun<Consultation, WrittenAnswer | ModelAnswer, Result>;

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
  readonly describe: (result: Result, directory: string, charges: Charges) => string;
  /** What is said about the result beside it. */
  readonly remarks?: (result: Result, charges: Charges) => string;
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
  remarks,
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
      // Opens the recording too: what cannot be read or written is known before anything is paid.
      gatewayFor(context);
      const limit = limitOf(session);
      const spent = spentIn(directory, context);
      if (limit === undefined || spent < limit) return;
      throw new UsageError(
        `the budget is spent: $${spent.toFixed(4)} of $${limit.toFixed(4)}; give more with --max-cost`,
      );
    },
    begun: (run, directory, session) => {
      const gateway = gatewayFor(context);
      gateway.onWait = (line) => run.note(line);
      const limit = limitOf(session);
      if (limit === undefined) return;
      gateway.budget.limit(limit, spentIn(directory, context), (why) => {
        run.interrupt(`stopped: ${why}`);
        return undefined;
      });
    },
    over: async (directory) => {
      await endConsultation(context, directory);
    },
    partial: (directory) => {
      const outcomes = outcomesIn<Value>(directory);
      for (const [ask, key] of search.outstanding?.() ?? []) {
        const outcome = outcomes.get(key);
        if (outcome !== undefined) search.tell(outcome, ask);
      }
      return search.result();
    },
    describe: (result, directory) => describe(result, directory, chargesIn(directory, context.replay !== undefined)),
    ...(remarks === undefined
      ? {}
      : {
          remarks: (result: Result, directory: string) =>
            remarks(result, chargesIn(directory, context.replay !== undefined)),
        }),
    document: (result, directory) => ({
      ...document(result, directory),
      spending: chargesIn(directory, context.replay !== undefined),
    }),
    exitCode: (end) => (end.state === "done" && !succeeded(end.result) ? 1 : undefined),
  };
}

/** Closes the way to models; returns what requests cost that were stopped under way, in US dollars. */
export async function endConsultation(context: ConsultContext, directory: string): Promise<number> {
  const { wasted = 0 } = (await closeGateway(context)) ?? {};
  keepStopped(directory, wasted);
  return wasted;
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

/** What a run has paid so far. */
export function spentIn(directory: string, { replay }: Pick<ConsultContext, "replay">): number {
  return chargesIn(directory, replay !== undefined).spent ?? 0;
}

function outcomesIn<Value>(directory: string): Map<string, Outcome<Value>> {
  const outcomes = new Map<string, Outcome<Value>>();
  readIfThere(directory, (entry) => {
    if (entry.type === "completed") outcomes.set(entry.key, { ok: true, value: decode(entry.value) as Value });
  });
  return outcomes;
}
