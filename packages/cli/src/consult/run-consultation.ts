import { printEnd } from "../session/print-end.ts";
import { startToEnd } from "../session/run-to-end.ts";
import type { PlannedRun } from "../tools/planned-run.ts";
import type { ConsultFlags } from "./options.ts";

/** Starts a run that asks models, shows it to its end and prints what it brought. */
export async function runConsultation<Candidate, Value, Result>(
  planned: PlannedRun<Candidate, Value, Result>,
  record: { readonly tool: string; readonly options: unknown },
  flags: ConsultFlags,
  /** How many requests there can be at once; fewer places are opened for fewer. */
  atOnce: number,
  /** How many asks may be unanswered; the engine's own default if absent. */
  lookahead?: number,
): Promise<void> {
  const { cache, id, json, quiet, runDir, maxCost, concurrency } = flags;
  const session = await startToEnd(planned as PlannedRun<unknown, unknown, Result>, () => record, {
    pool: "concurrent",
    workers: Math.max(1, Math.min(concurrency, atOnce)),
    runDir,
    ...(lookahead === undefined ? {} : { lookahead }),
    ...(cache === undefined ? {} : { cache }),
    ...(id === undefined ? {} : { id }),
    ...(json === undefined ? {} : { json }),
    ...(quiet === undefined ? {} : { quiet }),
    ...(maxCost === undefined ? {} : { maxCost }),
  });
  const { describe, document, partial, exitCode } = planned;
  printEnd(session, { json, describe, document, partial, exitCode });
}
