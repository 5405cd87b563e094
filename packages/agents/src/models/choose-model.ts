import { UsageError } from "@coppice/engine/usage-error";
import type { ModelsFile, Price, Provider } from "./models-file.ts";
import { publicPrice } from "./money/prices.ts";
import { kindOf } from "./providers/kinds.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A model with everything needed to ask it. */
export interface ChosenModel {
  /** `provider/model`: what requests carry. */
  readonly reference: string;
  readonly providerName: string;
  readonly provider: Provider;
  /** As the provider calls it. */
  readonly model: string;
  readonly price: Price | undefined;
}

/** Finds a model by its name in the models file or as `provider/model`. */
export function findModel(file: ModelsFile, name: string, place: string): ChosenModel {
  const named = Object.hasOwn(file.models, name) ? file.models[name] : undefined;
  const at = name.indexOf("/");
  const providerName = named?.provider ?? (at > 0 ? name.slice(0, at) : name);
  const provider = Object.hasOwn(file.providers, providerName) ? file.providers[providerName] : undefined;
  if (provider === undefined && named !== undefined) {
    throw new UsageError(
      `${place}: models.${name}.provider: there is no provider ${JSON.stringify(providerName)}; there are: ${Object.keys(file.providers).join(", ")}`,
    );
  }
  if (provider === undefined) {
    const known = [...Object.keys(file.models), ...Object.keys(file.providers).map((each) => `${each}/…`)];
    throw new UsageError(`there is no model ${JSON.stringify(name)} in ${place}; there are: ${known.join(", ")}`);
  }
  const model = named === undefined ? name.slice(at + 1) : (named.model ?? name);
  if ("baseUrl" in provider && (named === undefined ? at <= 0 : named.model === undefined)) {
    throw new UsageError(`${place}: which model of provider "${providerName}"? say ${providerName}/<model>`);
  }
  const reference = `${providerName}/${model}`;
  return {
    reference,
    providerName,
    provider,
    model,
    price: named?.price ?? priceOf(file, providerName, model) ?? listed(provider, model),
  };
}

/** The price another entry of the file states for the same model. */
function priceOf(file: ModelsFile, provider: string, model: string): Price | undefined {
  return Object.entries(file.models).find(
    ([name, entry]) => entry.provider === provider && (entry.model ?? name) === model,
  )?.[1].price;
}

/** The public price, at a provider that sells at those. */
function listed(provider: Provider, model: string): Price | undefined {
  return "baseUrl" in provider && kindOf(provider).publicPrices ? publicPrice(model) : undefined;
}

/** Whether the provider may be asked: its key is there, or it needs none. */
function hasKey(provider: Provider, environment: Environment): boolean {
  if (!("baseUrl" in provider) || provider.keyVariable === undefined) return true;
  const key = environment[provider.keyVariable];
  return key !== undefined && key.trim() !== "";
}

/**
 * The model for a persona (or for none): as typed, as the file says, or the default; refused when its
 * key is missing from `environment` (not looked for when there is none).
 */
export function chooseModel(
  file: ModelsFile,
  place: string,
  environment: Environment | undefined,
  wanted: { readonly typed?: string | undefined; readonly persona?: string | undefined },
): ChosenModel {
  const ofPersona =
    wanted.persona !== undefined && Object.hasOwn(file.personas, wanted.persona)
      ? file.personas[wanted.persona]
      : undefined;
  const name = wanted.typed ?? ofPersona ?? file.default ?? Object.keys(file.models)[0] ?? onlyProvider(file);
  if (name === undefined)
    throw new UsageError(`${place} does not say which model is the default: add "default: <model>"`);
  const chosen = findModel(file, name, place);
  if (environment === undefined || hasKey(chosen.provider, environment)) return chosen;
  const variable = "keyVariable" in chosen.provider ? chosen.provider.keyVariable : undefined;
  throw new UsageError(
    `no key for ${chosen.reference}: set ${variable}, or choose a model of another provider with --model or in coppice.models.yaml (--demo needs none)`,
  );
}

/** A file with one command or demo and no models means that one. */
function onlyProvider(file: ModelsFile): string | undefined {
  const [first, ...others] = Object.entries(file.providers);
  return first !== undefined && others.length === 0 && !("baseUrl" in first[1]) ? first[0] : undefined;
}

/** The models of the council's pool whose providers have keys, in the file's order; without a pool, the default alone. */
export function usablePool(file: ModelsFile, place: string, environment: Environment | undefined): ChosenModel[] {
  const pool = file.pool.map((name) => findModel(file, name, place));
  const usable = pool.filter(({ provider }) => environment === undefined || hasKey(provider, environment));
  return usable.length > 0 ? usable : [chooseModel(file, place, environment, {})];
}
