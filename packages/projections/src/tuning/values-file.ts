import { UsageError } from "@coppice/engine/usage-error";
import {
  type CandidateValues,
  drawnValues,
  type GivenValues,
  givenValues,
  outsideDomain,
  type Parameter,
} from "@coppice/search";
import { z } from "zod";
import { parseJson, readText } from "../json-file.ts";
import type { TuneOptions } from "./tuning.ts";

const Value = z.union([z.number(), z.string(), z.boolean()]);
const ByHorizon = z.record(z.string(), z.array(Value));
const Table = z.record(z.string(), z.union([z.array(Value), ByHorizon]));
const File = z.union([z.array(Table).min(1), Table]);
type Table = z.infer<typeof Table>;

/** The values to try. */
export interface TestValues {
  readonly values: CandidateValues;
  /** The file they come from, as it is; empty for drawn ones. */
  readonly text: string;
  /** What is allowed but may not be meant. */
  readonly notices: readonly string[];
}

/**
 * Draws values, or reads `--candidates`: `{parameter: {horizon: [values]}}` or `{parameter: [values for every horizon]}`,
 * or a list of these, one per pass. `keyOf` finds the horizon's key by any of its names.
 */
export function testValues(
  { candidates: path, seed, testValues: count }: TuneOptions,
  parameters: readonly Parameter[],
  horizons: readonly string[],
  keyOf: (name: string) => string | undefined,
): TestValues {
  if (path === undefined) return { values: drawnValues(seed, count), text: "", notices: [] };
  const text = readText(path);
  const parsed = File.safeParse(parseJson(path, text));
  if (!parsed.success) {
    throw new UsageError(`${path} must be {parameter: {horizon: [values]}}, or a list of these, one per pass`);
  }
  const tables = Array.isArray(parsed.data) ? parsed.data : [parsed.data];
  const given = tables.map((table) => checked(path, table, parameters, horizons, keyOf));
  return { text, values: givenValues(given), notices: lacking(path, given, parameters, horizons) };
}

/** Horizons that somewhere have nothing to try, in one line. */
function lacking(
  path: string,
  given: GivenValues,
  parameters: readonly Parameter[],
  horizons: readonly string[],
): readonly string[] {
  const without = horizons.filter((horizon) =>
    given.some((table) => parameters.some(({ name }) => table[name]?.[horizon] === undefined)),
  );
  if (without.length === 0) return [];
  return [`${path} lacks values for ${without.join(", ")}: where it does, only the current value is tried`];
}

function checked(
  path: string,
  table: Table,
  parameters: readonly Parameter[],
  horizons: readonly string[],
  keyOf: (name: string) => string | undefined,
): GivenValues[number] {
  for (const { name } of parameters) {
    if (table[name] === undefined)
      throw new UsageError(`${path} has no values for ${name}; leave it out with --params`);
  }
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, given]) => {
      const parameter = parameters.find((each) => each.name === name);
      // Values of parameters that are not tuned in this run are not a mistake: the file may be that of a longer run.
      if (parameter === undefined) return [];
      const lists = Array.isArray(given) ? horizons.map((horizon) => [horizon, given] as const) : Object.entries(given);
      const byHorizon = lists.flatMap(([horizon, values]) => {
        const key = keyOf(horizon);
        if (key === undefined) throw new UsageError(`${path} ${name}: unknown horizon ${horizon}`);
        for (const [i, value] of values.entries()) {
          const right = outsideDomain(parameter.domain, value);
          // The first value may be the baseline's own, wherever that lies, but a number where all are numbers.
          const mayLieOutside = i === 0 && (parameter.domain.kind === "choice" || typeof value === "number");
          if (right !== undefined && !mayLieOutside) {
            throw new UsageError(`${path} ${name} ${horizon}: ${JSON.stringify(value)} is not ${right}`);
          }
        }
        return [[key, values] as const];
      });
      return [[name, Object.fromEntries(byHorizon)]];
    }),
  );
}
