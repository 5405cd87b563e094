import { misspeltField, refuseReservedName, wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import {
  type Configuration,
  checkedSpace,
  conditionsOf,
  type Domain,
  type Parameter,
  ruleOf,
  type SearchSpace,
  type SpaceParameter,
} from "@coppice/search";
import { z } from "zod";
import { parseData, readText } from "../json-file.ts";

const SOME = "name at least one";
const Value = z.union([z.number(), z.string(), z.boolean()]);
const Place = {
  name: z.string().min(1),
  path: z.string().min(1).optional(),
  /** The values that others must have for it to exist. */
  when: z.record(z.string(), z.union([Value, z.array(Value).min(1, SOME)])).optional(),
};
const Range = z.strictObject({
  ...Place,
  type: z.enum(["real", "integer"]).optional(),
  min: z.number(),
  max: z.number(),
  decimals: z.int().min(0).max(12).optional(),
  step: z.number().optional(),
  log: z.boolean().optional(),
});
const Choice = z.strictObject({ ...Place, values: z.array(Value).min(1, SOME) });
const YesOrNo = z.strictObject({ ...Place, type: z.literal("boolean") });
const Settings = z.record(z.string(), z.unknown());
const Wanted = z.enum(["minimize", "maximize"]);
const Parts = {
  objective: Wanted.default("minimize"),
  parameters: z.array(z.union([Range, Choice, YesOrNo])).min(1, SOME),
  /** Rules that every point keeps. */
  constraints: z.array(z.string()).optional(),
  /** Given to whatever evaluates. */
  context: z.unknown().optional(),
};
const PlainSpace = z.strictObject({
  ...Parts,
  objective: Wanted.optional(),
  /** Instead of one objective: several by name. */
  objectives: z.record(z.string().min(1), Wanted).optional(),
});
const SpaceFile = z.strictObject({
  ...Parts,
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
export interface PlainParameters extends Pick<Space, "objective" | "context"> {
  readonly parameters: readonly SpaceParameter[];
  /** Rules, as they were written. */
  readonly constraints?: readonly string[];
  /** Several objectives instead of one. */
  readonly objectives?: Readonly<Record<string, "minimize" | "maximize">>;
}

/** Reads the `--space` of `coppice tune`. */
export function readSpace(path: string): Space {
  const text = readText(path);
  const { horizons, objective, baseline, baselines, parameters, constraints, context } = parsed(
    SpaceFile,
    path,
    text,
    (tuned) =>
      tuned ? undefined : "has no horizons for a tournament: name some, or add --method auto to search it by samples",
  );
  if (constraints !== undefined || parameters.some((each) => each.when !== undefined)) {
    throw new UsageError(
      `${path}: a tournament over horizons has no conditions or constraints: leave "horizons" out and use --method`,
    );
  }
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
  const { objective, objectives, parameters, constraints, context } = parsed(
    PlainSpace,
    path,
    readText(path),
    (tuned) =>
      tuned ? 'has horizons: leave "horizons" and "baseline" out, or tune it with coppice tune --space' : undefined,
  );
  if (objectives !== undefined && Object.keys(objectives).length < 2) {
    throw new UsageError(`${path}: objectives: name at least two, or write "objective": "minimize"`);
  }
  if (objectives !== undefined && objective !== undefined) {
    throw new UsageError(`${path}: objective and objectives both say what is wanted: give one of them`);
  }
  const several = objectives === undefined ? {} : { objectives };
  const own = readParameters(path, parameters, []);
  const plain = { objective: objective ?? "minimize", ...several, context: context ?? null, parameters: own };
  if (constraints === undefined) return plain;
  spaceOf(path, { ...plain, constraints });
  return { ...plain, constraints };
}

/** The space that plain parameters are; `where` is what a refusal begins with. */
export function spaceOf(where: string, { parameters, constraints = [] }: PlainParameters): SearchSpace {
  const names = parameters.map(({ name }) => name);
  return checkedSpace(
    where,
    parameters,
    constraints.map((rule) => ruleOf(where, rule, names)),
  );
}

/** `misplaced` says what is wrong with a space that is, or is not, one with horizons. */
function parsed<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  text: string,
  misplaced: (tuned: boolean) => string | undefined,
): z.output<Schema> {
  const content = parseData(path, text);
  if (content === null) throw new UsageError(`${path} has nothing in it: it must have a list of "parameters"`);
  const outline = Outline.safeParse(content).data;
  const elsewhere = outline && misplaced(outline.horizons !== undefined);
  if (elsewhere !== undefined) throw new UsageError(`${path} ${elsewhere}`);
  for (const [i, parameter] of (outline?.parameters ?? []).entries()) {
    const { type } = parameter;
    if (type !== undefined && type !== "real" && type !== "integer" && type !== "boolean") {
      const right = "values" in parameter ? "a list of values has no type" : "it is real, integer or boolean";
      throw new UsageError(`${path} ${parameter.name}: type ${JSON.stringify(type)} is unknown: ${right}`);
    }
    const range = "min" in parameter || "max" in parameter;
    if (parameter.type === "boolean" && !range) continue;
    if (range !== "values" in parameter) continue;
    const name = JSON.stringify(parameter.name);
    throw new UsageError(`${path}: parameters.${i}: give ${name} either "min" and "max" or "values"`);
  }
  const { success, data, error } = schema.safeParse(content);
  if (!success)
    throw new UsageError(`${path}: ${misspeltField(error.issues, content, schema) ?? wrongField(error.issues)}`);
  return data;
}

type FileParameter = z.output<typeof Range> | z.output<typeof Choice> | z.output<typeof YesOrNo>;

function readParameters(
  path: string,
  parameters: readonly FileParameter[],
  horizons: readonly string[],
): readonly SpaceParameter[] {
  const repeated = [...horizons, ...parameters.map((p) => p.name)].find((name, i, all) => all.indexOf(name) !== i);
  for (const name of [...horizons, ...parameters.flatMap((each) => [each.name, ...(each.path ?? "").split(".")])]) {
    refuseReservedName(name, path);
  }
  if (repeated !== undefined) throw new UsageError(`${path} names ${JSON.stringify(repeated)} twice`);
  const read = parameters.map((parameter, i): SpaceParameter => {
    const { name, path: place = name, when } = parameter;
    if (place.split(".").includes("")) {
      const field = `parameters.${i}.${parameter.path === undefined ? "name" : "path"}`;
      throw new UsageError(`${path}: ${field}: ${JSON.stringify(place)} has an empty part: write it as a.b`);
    }
    const conditions = when === undefined ? {} : { when: conditionsOf(when) };
    return { name, path: place.split("."), domain: domainOf(`${path} ${name}`, parameter), ...conditions };
  });
  return checkedSpace(path, read).parameters;
}

function domainOf(at: string, parameter: FileParameter): Domain {
  if ("values" in parameter) return { kind: "choice", values: parameter.values };
  if (!("min" in parameter)) return { kind: "choice", values: [false, true] };
  const { type, min, max, decimals, step, log = false } = parameter;
  if (type === "integer" || (type === undefined && step === undefined && decimals === undefined)) {
    const odd = [min, max, step ?? 1, decimals ?? 0].find((number) => !Number.isInteger(number));
    if (type === "integer" && odd !== undefined)
      throw new UsageError(`${at}: an integer's ${odd} is not a whole number`);
    if (step === undefined && !log) return { kind: "range", min, max, decimals: 0 };
    if (odd !== undefined)
      throw new UsageError(`${at}: ${odd} is not a whole number: write "type": "real" for any number`);
    return { kind: "real", min, max, step: step ?? 1, ...(log ? { log } : {}) };
  }
  if (decimals !== undefined && step !== undefined) {
    throw new UsageError(`${at}: decimals and step both say how fine it is: give one of them`);
  }
  if (decimals !== undefined && !log) return { kind: "range", min, max, decimals };
  const grid = decimals === undefined ? step : 10 ** -decimals;
  return { kind: "real", min, max, ...(log ? { log } : {}), ...(grid === undefined ? {} : { step: grid }) };
}
