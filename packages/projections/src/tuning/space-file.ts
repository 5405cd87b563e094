import { refuseReservedName, wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { Configuration, Parameter } from "@coppice/search";
import { z } from "zod";
import { parseJson, readText } from "../json-file.ts";

const SOME = "name at least one";
const Value = z.union([z.number(), z.string(), z.boolean()]);
const Place = { name: z.string().min(1), path: z.string().min(1).optional() };
const Range = z.strictObject({
  ...Place,
  min: z.number(),
  max: z.number(),
  decimals: z.int().min(0).max(12).default(0),
});
const Choice = z.strictObject({ ...Place, values: z.array(Value).min(1, SOME) });
const Settings = z.record(z.string(), z.unknown());
const PlainSpace = z.strictObject({
  objective: z.enum(["minimize", "maximize"]).default("minimize"),
  parameters: z.array(z.union([Range, Choice])).min(1, SOME),
  /** Given to whatever evaluates. */
  context: z.unknown().optional(),
});
const SpaceFile = z.strictObject({
  ...PlainSpace.shape,
  horizons: z.array(z.string().min(1)).min(1, SOME),
  /** One start for all horizons, … */
  baseline: Settings.optional(),
  /** … or one for each. */
  baselines: z.record(z.string(), Settings).optional(),
});

/** As much of any space as says what it is meant to be. */
const Outline = z.looseObject({
  horizons: z.unknown().optional(),
  parameters: z.array(z.looseObject({ name: z.string() })).catch([]),
});

/** What is tuned, from where, on which horizons. */
export interface Space {
  readonly horizons: readonly string[];
  readonly objective: "minimize" | "maximize";
  readonly baselines: Readonly<Record<string, Configuration>>;
  readonly parameters: readonly Parameter[];
  readonly context: unknown;
  readonly text: string;
}

/** What is searched, without horizons. */
export interface PlainParameters extends Pick<Space, "objective" | "parameters" | "context"> {}

/** Reads the `--space` of `coppice tune`. */
export function readSpace(path: string): Space {
  const text = readText(path);
  const { horizons, objective, baseline, baselines, parameters, context } = parsed(SpaceFile, path, text, (tuned) =>
    tuned ? undefined : "has no horizons to tune for: name some, or search it with coppice run --space",
  );
  return {
    horizons,
    objective,
    context: context ?? null,
    text,
    baselines: Object.fromEntries(
      horizons.map((horizon) => {
        const start = baselines !== undefined && Object.hasOwn(baselines, horizon) ? baselines[horizon] : baseline;
        if (start === undefined) throw new UsageError(`${path} has neither "baseline" nor "baselines" for ${horizon}`);
        return [horizon, start];
      }),
    ),
    parameters: readParameters(path, parameters, horizons),
  };
}

/** Reads the `--space` of `coppice run`: parameters, and which way is better. */
export function readPlainSpace(path: string): PlainParameters {
  const { objective, parameters, context } = parsed(PlainSpace, path, readText(path), (tuned) =>
    tuned ? 'has horizons: leave "horizons" and "baseline" out, or tune it with coppice tune --space' : undefined,
  );
  return { objective, context: context ?? null, parameters: readParameters(path, parameters, []) };
}

/** `misplaced` says what is wrong with a space that is, or is not, one with horizons. */
function parsed<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  text: string,
  misplaced: (tuned: boolean) => string | undefined,
): z.output<Schema> {
  const content = parseJson(path, text);
  const outline = Outline.safeParse(content).data;
  const elsewhere = outline && misplaced(outline.horizons !== undefined);
  if (elsewhere !== undefined) throw new UsageError(`${path} ${elsewhere}`);
  for (const [i, parameter] of (outline?.parameters ?? []).entries()) {
    const range = "min" in parameter || "max" in parameter;
    if (range !== "values" in parameter) continue;
    const name = JSON.stringify(parameter.name);
    throw new UsageError(`${path}: parameters.${i}: give ${name} either "min" and "max" or "values"`);
  }
  const { success, data, error } = schema.safeParse(content);
  if (!success) throw new UsageError(`${path}: ${wrongField(error.issues)}`);
  return data;
}

function readParameters(
  path: string,
  parameters: readonly (z.output<typeof Range> | z.output<typeof Choice>)[],
  horizons: readonly string[],
): readonly Parameter[] {
  const repeated = [...horizons, ...parameters.map((p) => p.name)].find((name, i, all) => all.indexOf(name) !== i);
  for (const name of [...horizons, ...parameters.flatMap((each) => [each.name, ...(each.path ?? "").split(".")])]) {
    refuseReservedName(name, path);
  }
  if (repeated !== undefined) throw new UsageError(`${path} names ${JSON.stringify(repeated)} twice`);
  return parameters.map((parameter, i) => {
    const { name, path: place = name } = parameter;
    if (place.split(".").includes("")) {
      const field = `parameters.${i}.${parameter.path === undefined ? "name" : "path"}`;
      throw new UsageError(`${path}: ${field}: ${JSON.stringify(place)} has an empty part: write it as a.b`);
    }
    if ("values" in parameter)
      return { name, path: place.split("."), domain: { kind: "choice", values: parameter.values } };
    const { min, max, decimals } = parameter;
    if (!(min <= max)) throw new UsageError(`${path} ${name}: min ${min} is above max ${max}`);
    if (decimals === 0 && !(Number.isInteger(min) && Number.isInteger(max))) {
      throw new UsageError(`${path} ${name}: without decimals, min and max are whole numbers, not ${min} and ${max}`);
    }
    return { name, path: place.split("."), domain: { kind: "range", min, max, decimals } };
  });
}
