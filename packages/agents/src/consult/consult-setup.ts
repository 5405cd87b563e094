import { resolve } from "node:path";
import { onlyGiven } from "@coppice/engine/only-given";
import { UsageError } from "@coppice/engine/usage-error";
import { type ChosenModel, chooseModel, usablePool } from "../models/choose-model.ts";
import type { Tuning } from "../models/consultation.ts";
import type { ConsultContext } from "../models/gateway.ts";
import { demoModels, type Models, type ModelsFile, readModels } from "../models/models-file.ts";
import { PRICES_DATE } from "../models/money/prices.ts";

import { type PersonaLibrary, readPersonas } from "../personas/library.ts";

/** What every tool that asks language models can be told; named like the options of its command. */
export interface ConsultChoices extends Tuning {
  readonly model?: string;
  /** A models file. */
  readonly models?: string;
  readonly demo?: boolean;
  readonly personaFolder?: string;
  readonly concurrency: number;
  /** Limit of one attempt, in milliseconds. */
  readonly timeout: number;
  readonly retries: number;
  /** US dollars. */
  readonly maxCost?: number;
  readonly requestsPerMinute?: number;
  readonly record?: string;
  readonly replay?: string;
  readonly dryRun?: boolean;
  /** Asks for the rest of answers that were cut off. */
  readonly continueCut?: boolean;
}

/** What a tool that asks models works with, once it has been checked. */
export interface ConsultSetup {
  readonly models: Models;
  readonly context: ConsultContext;
  readonly library: PersonaLibrary;
  readonly tuning: Tuning;
  /** The model for a persona, or for none. */
  readonly modelFor: (persona?: string) => ChosenModel;
  /** The models for it, where several may be asked side by side. */
  readonly modelsFor: (persona?: string) => readonly ChosenModel[];
  /** The one model that was typed; absent when none was. */
  readonly typedModel: (() => ChosenModel) | undefined;
  /** A model by its name in the models file, or `provider/model`. */
  readonly modelNamed: (name: string) => ChosenModel;
  /** The models that are dealt to the members of a council: the one that was typed, or the usable ones of the pool. */
  readonly pool: () => readonly ChosenModel[];
}

/** The longest answer under a limit on spending when nobody said another: without one no limit could hold. */
const LONGEST_UNDER_LIMIT = 16_000;

/** Reads the models file and the personas. Sends nothing and writes nothing. */
export function consultSetup(choices: ConsultChoices): ConsultSetup {
  const { maxTokens, temperature, effort, record, replay, model: typed } = choices;
  const models = choices.demo === true ? demoModels : readModels(choices.models, process.cwd());
  const folder = choices.personaFolder === undefined ? models.personaFolder : resolve(choices.personaFolder);
  // Nothing is sent in a dry run or a replay: no key is needed.
  const environment = choices.dryRun === true || replay !== undefined ? undefined : process.env;
  const checked = (chosen: ChosenModel): ChosenModel => {
    if (choices.maxCost !== undefined) checkPrice(chosen, models.place);
    return chosen;
  };
  const choose = (wanted: { readonly typed?: string | undefined; readonly persona?: string | undefined }) =>
    checked(chooseModel(models.file, models.place, environment, wanted));
  const several = [...new Set((typed ?? "").split(",").map((name) => name.trim()))].filter((name) => name !== "");
  if (typed !== undefined && several.length === 0) throw new UsageError("--model is empty");
  const one = (): string | undefined => {
    if (several.length > 1)
      throw new UsageError(`--model ${typed}: one model is asked here; ask and council take several`);
    return several[0];
  };
  const longest = maxTokens ?? (choices.maxCost === undefined ? undefined : LONGEST_UNDER_LIMIT);
  return {
    models,
    library: readPersonas(folder),
    tuning: onlyGiven({ temperature, maxTokens: longest, effort }),
    context: {
      models: paced(models.file, choices.requestsPerMinute),
      place: models.place,
      timeoutMs: choices.timeout,
      retries: choices.retries,
      concurrency: choices.concurrency,
      ...(choices.continueCut === true ? { continueCut: true } : {}),
      ...(record === undefined ? {} : { record: resolve(record) }),
      ...(replay === undefined ? {} : { replay: resolve(replay) }),
    },
    modelFor: (persona) => choose({ typed: one(), persona }),
    modelsFor: (persona) =>
      typed === undefined ? [choose({ persona })] : several.map((name) => choose({ typed: name, persona })),
    typedModel: typed === undefined ? undefined : () => choose({ typed: one() }),
    modelNamed: (name) => choose({ typed: name }),
    pool: () =>
      typed === undefined
        ? usablePool(models.file, models.place, environment).map(checked)
        : several.map((name) => choose({ typed: name })),
  };
}

/** The models file with every provider's pace set to what was typed. */
function paced(file: ModelsFile, requestsPerMinute: number | undefined): ModelsFile {
  if (requestsPerMinute === undefined) return file;
  const providers = Object.entries(file.providers).map(([name, provider]) => [
    name,
    { ...provider, requestsPerMinute },
  ]);
  return { ...file, providers: Object.fromEntries(providers) };
}

/** A limit on spending means something only where it is known what is spent. */
function checkPrice({ reference, price, provider }: ChosenModel, place: string): void {
  if (price !== undefined || "demo" in provider || ("baseUrl" in provider && provider.reportsCost === true)) return;
  throw new UsageError(
    `--max-cost: the price of ${reference} is not known, and it is not in the built-in table of ${PRICES_DATE}; give it in ${place} (price: { input: …, output: … } in dollars per million tokens)`,
  );
}
