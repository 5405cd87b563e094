import { UsageError } from "@coppice/engine/usage-error";
import { type Configuration, type Parameter, valueAt } from "@coppice/search";
import { HORIZON_KEYS } from "../config/configuration.ts";
import { PARAMETERS, type TunableParameter } from "../config/parameters.ts";
import { readPlainSpace } from "./space-file.ts";

/**
 * The football model's parameters; `path` is a file with other ranges, lists of values, or more parameters, written like the
 * parameters of a space. What it does not name stays as it is.
 */
export function footballParameters(path: string | undefined): readonly Parameter[] {
  const usual = PARAMETERS.map(asParameter);
  if (path === undefined) return usual;
  const { parameters, constraints, objectives } = readPlainSpace(path);
  if (constraints !== undefined || objectives !== undefined || parameters.some(({ when }) => when !== undefined)) {
    throw new UsageError(`${path}: a tournament has no conditions, constraints or objectives of its own`);
  }
  const own = parameters.map(({ name, path: place, domain }): Parameter => {
    const known = usual.find((parameter) => parameter.name === name);
    const given = place.length > 1 || place[0] !== name ? place : (known?.path ?? place);
    if (!HORIZON_KEYS.some((key) => key === given[0])) {
      const right = known === undefined ? `give it a path that begins with ${HORIZON_KEYS.join(", ")}` : "leave it out";
      throw new UsageError(`${path} ${name}: there is nothing at ${given.join(".")}: ${right}`);
    }
    const words = domain.kind === "choice" ? domain.values.filter((value) => typeof value !== "number") : [];
    if (words.length > 0) throw new UsageError(`${path} ${name}: ${JSON.stringify(words[0])} is not a number`);
    return { name, path: given, domain };
  });
  const named = (name: string) => own.find((parameter) => parameter.name === name);
  const added = own.filter(({ name }) => !usual.some((parameter) => parameter.name === name));
  const all = [...usual.map((parameter) => named(parameter.name) ?? parameter), ...added];
  for (const [i, { name, path: place }] of all.entries()) {
    const other = all.slice(0, i).find((before) => before.path.join(".") === place.join("."));
    if (other === undefined) continue;
    throw new UsageError(
      `${path} ${name}: ${place.join(".")} is where ${other.name} is: give that another range instead`,
    );
  }
  return all;
}

/** Refuses parameters that change nothing: no horizon has a number there, and it is none of the model's own. */
export function checkPlaces(parameters: readonly Parameter[], configurations: readonly Configuration[]): void {
  for (const { name, path } of parameters) {
    if (PARAMETERS.some((usual) => usual.path.join(".") === path.join("."))) continue;
    if (configurations.some((configuration) => typeof valueAt(configuration, path) === "number")) continue;
    throw new UsageError(`--ranges ${name}: no horizon of the baseline has a number at ${path.join(".")}`);
  }
}

/** A parameter of the model as a tournament knows it. */
export function asParameter({ name, path, min, max, decimals }: TunableParameter): Parameter {
  return { name, path, domain: { kind: "range", min, max, decimals } };
}
