import type { PreparedRun } from "@coppice/engine";
import { newRun, runAndPrint } from "../session/live-run.ts";
import type { ConsultFlags } from "./options.ts";

/** Starts a run that asks models, shows it to its end and prints what it brought. */
export async function runConsultation<Candidate, Value, Result>(
  prepared: PreparedRun<Candidate, Value, Result>,
  flags: ConsultFlags,
  /** How many requests there can be at once; fewer places are opened for fewer. */
  atOnce: number,
): Promise<void> {
  const { cache, id, json, quiet, runDir, maxCost, concurrency } = flags;
  const options = {
    pool: "concurrent" as const,
    workers: Math.max(1, Math.min(concurrency, atOnce)),
    runDir,
    ...(cache === undefined ? {} : { cache }),
    ...(id === undefined ? {} : { id }),
    ...(json === undefined ? {} : { json }),
    ...(quiet === undefined ? {} : { quiet }),
    ...(maxCost === undefined ? {} : { maxCost }),
  };
  await runAndPrint(prepared, newRun(options), options);
}
