import { join } from "node:path";
import { type ConsultContext, chooseModel, closeGateway, consultEvaluator, gatewayFor } from "@coppice/agents/models";
import {
  decode,
  JOURNAL_NAME,
  type Outcome,
  type PreparedRun,
  readJournal,
  type Search,
  UsageError,
} from "@coppice/engine";
import { printable } from "./printable.ts";

/** A search for answers that can say what it knows when it is interrupted. */
interface InterruptibleSearch<Candidate, Value, Result> extends Search<Candidate, Value, Result> {
  /** Asks without an outcome, with their keys. */
  outstanding(): ReadonlyMap<number, string>;
}

export interface Consultations<Candidate, Value, Result> {
  readonly tool: string;
  /** What `run.json` keeps. */
  readonly record: unknown;
  /** How many asks may be unanswered; the engine's own default if absent. */
  readonly lookahead?: number;
  readonly search: InterruptibleSearch<Candidate, Value, Result>;
  readonly context: ConsultContext;
  /** Every model that may be asked. */
  readonly models: readonly string[];
  /** The most to spend in all sessions of the run together, in US dollars. */
  readonly maxCost: number | undefined;
  readonly describe: (result: Result, directory: string) => string;
  readonly document: (result: Result, directory: string) => Readonly<Record<string, unknown>>;
  readonly exitCode: (result: Result) => number;
}

/**
 * A run that asks models, with its money watched over: what earlier sessions paid counts, and when the budget is spent
 * the run is interrupted with everything that was answered.
 */
export function plannedConsultation<Candidate, Value, Result>(
  consultations: Consultations<Candidate, Value, Result>,
): PreparedRun<Candidate, Value, Result> {
  const { search, context, describe, document, exitCode } = consultations;
  const limitOf = (work: { readonly maxCost?: number }) => work.maxCost ?? consultations.maxCost;
  return {
    tool: consultations.tool,
    record: () => consultations.record,
    ...(consultations.lookahead === undefined ? {} : { shape: { lookahead: consultations.lookahead } }),
    search,
    evaluator: consultEvaluator,
    context,
    impure: "a language model answered",
    before: (directory, work) => {
      checkKeys(context, consultations.models);
      const limit = limitOf(work);
      const spent = spentIn(directory);
      if (limit === undefined || spent < limit) return;
      throw new UsageError(
        `the budget is spent: $${spent.toFixed(4)} of $${limit.toFixed(4)}; give more with --max-cost`,
      );
    },
    begun: (run, directory, work) => {
      const limit = limitOf(work);
      if (limit === undefined) return;
      gatewayFor(context).budget.limit(limit, spentIn(directory), () =>
        run.interrupt(`stopped: the next request does not fit into the budget of $${limit}`),
      );
    },
    over: () => closeGateway(context),
    partial: (directory) => {
      const outcomes = outcomesIn<Value>(directory);
      for (const [ask, key] of search.outstanding()) {
        const outcome = outcomes.get(key);
        if (outcome !== undefined) search.tell(outcome, ask);
      }
      return search.result();
    },
    describe: (result, directory) => printable(describe(result, directory)),
    document,
    exitCode: (end) => (end.state === "done" ? exitCode(end.result) : undefined),
  };
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
