import { refuseReservedName, wrongField } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { Configuration, Parameter } from "@coppice/search";
import { z } from "zod";
import { parseJson, readText } from "../json-file.ts";

const Value = z.union([z.number(), z.string(), z.boolean()]);
const Place = { name: z.string().min(1), path: z.string().min(1).optional() };
const Range = z.strictObject({
  ...Place,
  min: z.number(),
  max: z.number(),
  decimals: z.int().min(0).max(12).default(0),
});
const Choice = z.strictObject({ ...Place, values: z.array(Value).min(1) });
const Settings = z.record(z.string(), z.unknown());
const SpaceFile = z.strictObject({
  horizons: z.array(z.string().min(1)).min(1),
  objective: z.enum(["minimize", "maximize"]).default("minimize"),
  /** One start for all horizons, … */
  baseline: Settings.optional(),
  /** … or one for each. */
  baselines: z.record(z.string(), Settings).optional(),
  parameters: z.array(z.union([Range, Choice])).min(1),
  /** Given to the evaluator's `setup`. */
  context: z.unknown().optional(),
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

/** Reads `--space`. */
export function readSpace(path: string): Space {
  const text = readText(path);
  const parsed = SpaceFile.safeParse(parseJson(path, text));
  if (!parsed.success) {
    throw new UsageError(`${path}: ${wrongField(parsed.error.issues)}`);
  }
  const { horizons, objective, baseline, baselines, parameters, context } = parsed.data;
  const repeated = [...horizons, ...parameters.map((p) => p.name)].find((name, i, all) => all.indexOf(name) !== i);
  for (const name of [...horizons, ...parameters.flatMap((each) => [each.name, ...(each.path ?? "").split(".")])]) {
    refuseReservedName(name, path);
  }
  if (repeated !== undefined) throw new UsageError(`${path} names ${JSON.stringify(repeated)} twice`);
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
    parameters: parameters.map((parameter) => {
      const { name, path: place = name } = parameter;
      if ("values" in parameter)
        return { name, path: place.split("."), domain: { kind: "choice", values: parameter.values } };
      const { min, max, decimals } = parameter;
      if (!(min <= max)) throw new UsageError(`${path} ${name}: min ${min} is above max ${max}`);
      if (decimals === 0 && !(Number.isInteger(min) && Number.isInteger(max))) {
        throw new UsageError(`${path} ${name}: without decimals, min and max are whole numbers, not ${min} and ${max}`);
      }
      return { name, path: place.split("."), domain: { kind: "range", min, max, decimals } };
    }),
  };
}
