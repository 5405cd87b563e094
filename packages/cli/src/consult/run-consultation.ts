import { text } from "node:stream/consumers";
import { type ConsultSetup, firstRequests, requestsText } from "@coppice/agents/consult";
import type { PreparedRun } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { print, printJson } from "../print.ts";
import { newRun, runAndPrint } from "../session/live-run.ts";
import type { ConsultFlags } from "./options.ts";

export { consultSetup } from "@coppice/agents/consult";

/** Starts a run that asks models, shows it to its end and prints what it brought; a dry run only prints its requests. */
export async function runConsultation<Candidate extends object, Value, Result>(
  prepared: PreparedRun<Candidate, Value, Result>,
  { models }: ConsultSetup,
  flags: ConsultFlags,
  /** How many requests there can be at once; fewer places are opened for fewer. */
  atOnce: number,
): Promise<void> {
  const { cache, id, json, quiet, runDir, maxCost, concurrency, dryRun } = flags;
  if (dryRun === true) {
    const requests = firstRequests(prepared.search, models);
    if (json === true) printJson({ requests });
    else print(requestsText(requests));
    return;
  }
  const options = {
    pool: "concurrent",
    workers: Math.max(1, Math.min(concurrency, atOnce)),
    runDir,
    ...(cache === undefined ? {} : { cache }),
    ...(id === undefined ? {} : { id }),
    ...(json === undefined ? {} : { json }),
    ...(quiet === undefined ? {} : { quiet }),
    ...(maxCost === undefined ? {} : { maxCost }),
  } as const;
  await runAndPrint(prepared, newRun(options), options);
}

/** A longer text does not fit into any model, and was not meant to be asked. */
const LONGEST = 1_000_000;

/** The text a command is about: its argument, or its input when that is `-` or something is piped in. */
export async function textInput(
  argument: string | undefined,
  what: string,
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
): Promise<string> {
  const piped = argument === "-" || (argument === undefined && input.isTTY !== true);
  const given = piped ? await text(input) : argument;
  if (given === undefined) {
    throw new UsageError(`there is no ${what}: give it as an argument, or on standard input`);
  }
  if (given.trim() === "") throw new UsageError(`the ${what} is empty`);
  if (given.length > LONGEST) {
    throw new UsageError(`the ${what} has ${given.length} characters; at most ${LONGEST} can be asked`);
  }
  if (given.includes("\0")) throw new UsageError(`the ${what} is not text: it holds zero bytes`);
  return given.trim();
}
