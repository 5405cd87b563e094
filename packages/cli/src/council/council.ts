import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type CouncilSetup, councilPace, recruitFor, type Seat } from "@coppice/agents/council";
import {
  advisers,
  councilPresets,
  findPersonas,
  type Persona,
  presetPersonas,
  readPersonaList,
} from "@coppice/agents/personas";
import { UsageError } from "@coppice/engine";
import { printRequests } from "../consult/dry-run.ts";
import { runConsultation } from "../consult/run-consultation.ts";
import { type ConsultSetup, consultSetup } from "../consult/setup.ts";
import { textInput } from "../consult/text-input.ts";
import { type CouncilRecord, firstRequests, planCouncil } from "./plan-council.ts";
import type { CouncilFlags } from "./register.ts";

/** `coppice council`: a run whose result is a verdict. */
export async function council(argument: string | undefined, flags: CouncilFlags): Promise<void> {
  const consult = consultSetup(flags);
  const proposal = await textInput(argument, "proposal");
  const setup = setupOf(proposal, flags, consult);
  if (flags.dryRun === true) {
    printRequests(firstRequests(setup), consult.models, flags.json ?? false);
    return;
  }
  const record: CouncilRecord = {
    setup,
    directory: projectOf(flags.search),
    questionMs: flags.questionTimeout,
  };
  const planned = planCouncil(record, consult.context);
  // Questions and a display that redraws itself do not go together on one terminal.
  const quiet = flags.quiet === true || setup.lookUp.person;
  await runConsultation(planned, { ...flags, quiet }, 2 * flags.maxSize + 4);
}

/** Where code is looked up. */
function projectOf(search: string | false): string {
  if (search === false) return process.cwd();
  if (statSync(search, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(search);
  throw new UsageError(`--search ${search}: there is no such directory; give the project's, or --no-search`);
}

function setupOf(proposal: string, flags: CouncilFlags, consult: ConsultSetup): CouncilSetup {
  const { library, models } = consult;
  const seatOf = ({ name, instructions }: Persona): Seat => ({
    name,
    prompt: instructions,
    ...(flags.model === undefined && Object.hasOwn(models.file.personas, name)
      ? { model: consult.modelFor(name).reference }
      : {}),
  });
  const seats = findPersonas(library, seated(proposal, flags, consult)).map((persona) => {
    if (persona.role === "adviser") return seatOf(persona);
    throw new UsageError(
      `${persona.name} serves the council and has no seat in it; members are: ${advisers(library).join(", ")}`,
    );
  });
  if (seats.length > flags.maxSize) {
    throw new UsageError(`${seats.length} members do not fit into a council of --max-size ${flags.maxSize}`);
  }
  const { maxRounds, threshold } = councilPace(proposal, {
    maxRounds: flags.maxRounds,
    threshold: flags.convergenceThreshold,
  });
  return {
    proposal,
    seats,
    library: findPersonas(library, advisers(library)).flatMap((persona) => recruitable(persona, seatOf)),
    ...modelsOf(flags, consult),
    tuning: consult.tuning,
    maxRounds,
    threshold,
    abstain: flags.abstain,
    quorum: flags.quorum,
    maxSize: flags.maxSize,
    ...(flags.maxCost === undefined ? {} : { maxCost: flags.maxCost }),
    answers: flags.answers === undefined ? {} : readAnswers(flags.answers),
    lookUp: { code: flags.search !== false, person: canAsk(flags) },
    speculate: flags.speculate === true,
    seed: flags.seed,
  };
}

/** Whoever has a model without a key cannot be called in. */
function recruitable(persona: Persona, seatOf: (persona: Persona) => Seat): Seat[] {
  try {
    return [seatOf(persona)];
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

function seated(proposal: string, flags: CouncilFlags, { library }: ConsultSetup): readonly string[] {
  if (flags.recruit === true) {
    return recruitFor(proposal, findPersonas(library, advisers(library)), flags.maxSize);
  }
  if (flags.personas !== undefined) return readPersonaList(flags.personas, councilPresets, library);
  return presetPersonas(councilPresets, flags.preset ?? "comprehensive", library);
}

/** Members have the pool's models; the arbiter its own, or the first of the pool. */
function modelsOf(flags: CouncilFlags, consult: ConsultSetup): Pick<CouncilSetup, "models" | "arbiter"> {
  const pool = consult.pool().map(({ reference }) => reference);
  const chosen = flags.arbiter ?? (flags.model === undefined ? consult.models.file.arbiter : undefined);
  const model = chosen === undefined ? (pool[0] ?? consult.modelFor().reference) : consult.modelNamed(chosen).reference;
  const fallback =
    flags.arbiterFallback === undefined
      ? pool.find((other) => other !== model)
      : consult.modelNamed(flags.arbiterFallback).reference;
  const prompt = consult.library.get("arbiter")?.instructions;
  if (prompt === undefined) throw new UsageError("there is no persona arbiter to sum up what the council says");
  return { models: pool, arbiter: { prompt, model, ...(fallback === undefined ? {} : { fallback }) } };
}

/** A person is asked where there is one: at a terminal, unless everything was prepared or nothing may be printed. */
function canAsk(flags: CouncilFlags): boolean {
  return (
    flags.questions !== false && flags.json !== true && process.stdin.isTTY === true && process.stderr.isTTY === true
  );
}

function readAnswers(path: string): Readonly<Record<string, string>> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const why =
      error instanceof SyntaxError ? "is not JSON" : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    throw new UsageError(`--answers ${path}: the file ${why}; it should hold {"part of a question": "its answer"}`);
  }
  const isAnswers = typeof content === "object" && content !== null && !Array.isArray(content);
  if (!isAnswers || Object.values(content as object).some((answer) => typeof answer !== "string")) {
    throw new UsageError(`--answers ${path}: it should hold an object of texts, {"part of a question": "its answer"}`);
  }
  return content as Readonly<Record<string, string>>;
}
