import { resolve } from "node:path";
import {
  type ChosenModel,
  type ConsultContext,
  chooseModel,
  demoModels,
  type ModelRequest,
  type Models,
  readModels,
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
}

/** Reads the models file and the personas. Sends nothing and writes nothing. */
export function consultSetup(flags: ConsultFlags): ConsultSetup {
  const models = flags.demo === true ? demoModels : readModels(flags.models, process.cwd());
  const folder = flags.personaFolder === undefined ? models.personaFolder : resolve(flags.personaFolder);
  const { maxTokens, temperature, effort } = flags;
  // Nothing is sent in a dry run or a replay: no key is needed.
  const silent = flags.dryRun === true || flags.replay !== undefined;
  return {
    models,
    library: readPersonas(folder),
    tuning: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(effort === undefined ? {} : { effort }),
    },
    context: {
      models: models.file,
      place: models.place,
      timeoutMs: flags.timeout,
      retries: flags.retries,
      concurrency: flags.concurrency,
      ...(flags.record === undefined ? {} : { record: resolve(flags.record) }),
      ...(flags.replay === undefined ? {} : { replay: resolve(flags.replay) }),
    },
    modelFor: (persona) => {
      const chosen = chooseModel(models.file, models.place, silent ? undefined : process.env, {
        typed: flags.model,
        persona,
      });
      if (flags.maxCost !== undefined) checkPrice(chosen, models.place);
      return chosen;
    },
  };
}

/** A limit on spending means something only where it is known what is spent. */
function checkPrice({ reference, price, provider }: ChosenModel, place: string): void {
  if (price !== undefined || !("baseUrl" in provider) || provider.reportsCost === true) return;
  throw new UsageError(
    `--max-cost: the price of ${reference} is not known; give it in ${place} (price: { input: …, output: … } in dollars per million tokens)`,
  );
}
