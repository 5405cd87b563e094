import { resolve } from "node:path";
import { isFolder } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { ConsultSetup } from "../consult/consult-setup.ts";
import { givenText } from "../models/given-file.ts";
import { findPersonas } from "../personas/library.ts";
import type { Persona } from "../personas/persona.ts";
import { advisers, councilPresets, presetPersonas, readPersonaList } from "../personas/presets.ts";
import type { CouncilSetup, Seat } from "./council-setup.ts";
import type { CouncilRecord } from "./prepare-council.ts";
import { recruitFor } from "./round/recruitment.ts";
import { councilPace } from "./round/timekeeper.ts";

/** What a council can be told; named like the options of its command. */
export interface CouncilChoices {
  /** Everybody's model. */
  readonly model?: string;
  readonly preset?: string;
  readonly personas?: string;
  readonly recruit?: boolean;
  readonly maxRounds?: number;
  readonly convergenceThreshold?: number;
  readonly quorum: number;
  readonly abstain: CouncilSetup["abstain"];
  readonly maxSize: number;
  readonly maxCost?: number;
  readonly speculate?: boolean;
  readonly arbiter?: string;
  readonly arbiterFallback?: string;
  /** A file of answers to what members ask. */
  readonly answers?: string;
  /** Where code is looked up. */
  readonly search: string | false;
  /** How long a person has for an answer, in milliseconds. */
  readonly questionTimeout: number;
  readonly seed: number;
}

/** A council from what was chosen, everything checked; `person` says whether somebody can be asked. */
export function composeCouncil(
  proposal: string,
  choices: CouncilChoices,
  consult: ConsultSetup,
  person: boolean,
): CouncilRecord {
  return {
    setup: setupOf(proposal, choices, consult, person),
    directory: projectOf(choices.search),
    questionMs: choices.questionTimeout,
  };
}

function setupOf(proposal: string, choices: CouncilChoices, consult: ConsultSetup, person: boolean): CouncilSetup {
  const { library, models } = consult;
  const seatOf = ({ name, instructions }: Persona): Seat => ({
    name,
    prompt: instructions,
    ...(choices.model === undefined && Object.hasOwn(models.file.personas, name)
      ? { model: consult.modelFor(name).reference }
      : {}),
  });
  const seats = findPersonas(library, seated(proposal, choices, consult)).map((persona) => {
    if (persona.role === "adviser") return seatOf(persona);
    throw new UsageError(
      `${persona.name} serves the council and has no seat in it; members are: ${advisers(library).join(", ")}`,
    );
  });
  if (seats.length > choices.maxSize) {
    throw new UsageError(
      `${seats.length} members do not fit into a council of --max-size ${choices.maxSize}: name fewer, or give --max-size ${seats.length}`,
    );
  }
  const { maxRounds, threshold } = councilPace(proposal, {
    maxRounds: choices.maxRounds,
    threshold: choices.convergenceThreshold,
  });
  return {
    proposal,
    seats,
    library: findPersonas(library, advisers(library)).flatMap((persona) => recruitable(persona, seatOf)),
    ...modelsOf(choices, consult),
    tuning: consult.tuning,
    maxRounds,
    threshold,
    abstain: choices.abstain,
    quorum: choices.quorum,
    maxSize: choices.maxSize,
    ...(choices.maxCost === undefined ? {} : { maxCost: choices.maxCost }),
    answers: choices.answers === undefined ? {} : readAnswers(choices.answers),
    lookUp: { code: choices.search !== false, person },
    speculate: choices.speculate === true,
    seed: choices.seed,
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

function seated(proposal: string, choices: CouncilChoices, { library }: ConsultSetup): readonly string[] {
  if (choices.recruit === true) {
    return recruitFor(proposal, findPersonas(library, advisers(library)), choices.maxSize);
  }
  if (choices.personas !== undefined) return readPersonaList(choices.personas, councilPresets, library);
  return presetPersonas(councilPresets, choices.preset ?? "comprehensive", library);
}

/** Members have the pool's models; the arbiter its own, or the first of the pool. */
function modelsOf(choices: CouncilChoices, consult: ConsultSetup): Pick<CouncilSetup, "models" | "arbiter"> {
  const pool = consult.pool().map(({ reference }) => reference);
  const chosen = choices.arbiter ?? (choices.model === undefined ? consult.models.file.arbiter : undefined);
  const model = chosen === undefined ? (pool[0] ?? consult.modelFor().reference) : consult.modelNamed(chosen).reference;
  const fallback =
    choices.arbiterFallback === undefined
      ? pool.find((other) => other !== model)
      : consult.modelNamed(choices.arbiterFallback).reference;
  const prompt = consult.library.get("arbiter")?.instructions;
  if (prompt === undefined) throw new UsageError("there is no persona arbiter to sum up what the council says");
  return { models: pool, arbiter: { prompt, model, ...(fallback === undefined ? {} : { fallback }) } };
}

function readAnswers(path: string): Readonly<Record<string, string>> {
  let content: unknown;
  try {
    content = JSON.parse(givenText(path, `--answers ${path}`));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`--answers ${path}: not JSON; it should hold {"part of a question": "its answer"}`);
  }
  const isAnswers = typeof content === "object" && content !== null && !Array.isArray(content);
  if (!isAnswers || Object.values(content as object).some((answer) => typeof answer !== "string")) {
    throw new UsageError(`--answers ${path}: it should hold an object of texts, {"part of a question": "its answer"}`);
  }
  return content as Readonly<Record<string, string>>;
}

/** The directory in which code is looked up. */
function projectOf(search: string | false): string {
  if (search === false) return process.cwd();
  if (isFolder(search)) return resolve(search);
  throw new UsageError(`--search ${search}: there is no such directory; give the project's, or --no-search`);
}
