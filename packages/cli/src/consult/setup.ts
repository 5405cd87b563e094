import { resolve } from "node:path";
import {
  type ChosenModel,
  type ConsultContext,
  chooseModel,
  demoModels,
  type ModelRequest,
  type Models,
  type ModelsFile,
  readModels,
  usablePool,
} from "@coppice/agents/models";
import { type PersonaLibrary, readPersonas } from "@coppice/agents/personas";
import { UsageError } from "@coppice/engine";
import type { ConsultFlags } from "./options.ts";

/** What a command that asks models works with, once its flags have been checked. */
export interface ConsultSetup {
  readonly models: Models;
  readonly context: ConsultContext;
  readonly library: PersonaLibrary;
  /** Fields of every request. */
  readonly tuning: Pick<ModelRequest, "temperature" | "maxTokens" | "effort">;
  /** The model for a persona, or for none. */
  readonly modelFor: (persona?: string) => ChosenModel;
  /** A model by its name in the models file, or `provider/model`. */
  readonly modelNamed: (name: string) => ChosenModel;
  /** The models that are dealt to the members of a council: the one that was typed, or the usable ones of the pool. */
  readonly pool: () => readonly ChosenModel[];
}

/** Reads the models file and the personas. Sends nothing and writes nothing. */
export function consultSetup(flags: ConsultFlags & { readonly requestsPerMinute?: number }): ConsultSetup {
  const models = flags.demo === true ? demoModels : readModels(flags.models, process.cwd());
  const folder = flags.personaFolder === undefined ? models.personaFolder : resolve(flags.personaFolder);
  const { maxTokens, temperature, effort } = flags;
  // Nothing is sent in a dry run or a replay: no key is needed.
  const environment = flags.dryRun === true || flags.replay !== undefined ? undefined : process.env;
  const checked = (chosen: ChosenModel): ChosenModel => {
    if (flags.maxCost !== undefined) checkPrice(chosen, models.place);
    return chosen;
  };
  const choose = (wanted: { readonly typed?: string | undefined; readonly persona?: string | undefined }) =>
    checked(chooseModel(models.file, models.place, environment, wanted));
  return {
    models,
    library: readPersonas(folder),
    tuning: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(effort === undefined ? {} : { effort }),
    },
    context: {
      models: paced(models.file, flags.requestsPerMinute),
      place: models.place,
      timeoutMs: flags.timeout,
      retries: flags.retries,
      concurrency: flags.concurrency,
      ...(flags.record === undefined ? {} : { record: resolve(flags.record) }),
      ...(flags.replay === undefined ? {} : { replay: resolve(flags.replay) }),
    },
    modelFor: (persona) => choose({ typed: flags.model, persona }),
    modelNamed: (name) => choose({ typed: name }),
    pool: () =>
      flags.model === undefined
        ? usablePool(models.file, models.place, environment).map(checked)
        : [choose({ typed: flags.model })],
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
  if (price !== undefined || !("baseUrl" in provider) || provider.reportsCost === true) return;
  throw new UsageError(
    `--max-cost: the price of ${reference} is not known; give it in ${place} (price: { input: …, output: … } in dollars per million tokens)`,
  );
}
