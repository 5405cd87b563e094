import { type ConsultSetup, firstRequests, requestsText } from "@coppice/agents/consult";
import { onlyGiven } from "@coppice/engine/only-given";
import { print, printJson } from "../print.ts";
import { newRun, runAndPrint, type ShownRun } from "../session/live-run.ts";
import type { ConsultFlags } from "./options.ts";

export { consultSetup, textInput, withAttachments } from "@coppice/agents/consult";

/** Starts a run that asks models, shows it to its end and prints what it brought; a dry run only prints its requests. */
export async function runConsultation<Candidate extends object, Value, Result>(
  prepared: ShownRun<Candidate, Value, Result>,
  { models }: ConsultSetup,
  flags: ConsultFlags,
  /** How many requests there can be at once; fewer places are opened for fewer. */
  atOnce: number,
): Promise<void> {
  const { cacheFile, id, json, quiet, runDir, maxCost, concurrency, dryRun } = flags;
  if (dryRun === true) {
    const requests = firstRequests(prepared.search, models);
    if (json === true) printJson({ requests });
    else print(requestsText(requests));
    return;
  }
  const cache: string | true | undefined = cacheFile ?? (flags.cache === true ? true : undefined);
  const options = {
    pool: "concurrent",
    workers: Math.max(1, Math.min(concurrency, atOnce)),
    runDir,
    ...onlyGiven({ cache, id, json, quiet, maxCost }),
  } as const;
  await runAndPrint(prepared, newRun(options), options);
}
