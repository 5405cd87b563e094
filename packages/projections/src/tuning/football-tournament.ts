import { type CandidateValues, type Parameter, Tournament } from "@coppice/search";
import type { HorizonParameters } from "../config/configuration.ts";
import type { TunableParameter } from "../config/parameters.ts";
import type { Horizon } from "../horizon.ts";
import { type HorizonResult, type ObjectiveName, objectives } from "./objective.ts";

export interface FootballTournamentOptions {
  readonly horizons: readonly Horizon[];
  /** By horizon name, as a baseline folder gives them. */
  readonly baseline: Readonly<Record<string, HorizonParameters>>;
  readonly parameters: readonly TunableParameter[];
  readonly values: CandidateValues;
  readonly objective: ObjectiveName;
  readonly maxPasses: number;
}

/** The tournament over football's horizons; they are filed under their result keys. */
export function footballTournament(options: FootballTournamentOptions): Tournament<HorizonResult> {
  return new Tournament<HorizonResult>({
    horizons: options.horizons.map((horizon) => horizon.key),
    parameters: options.parameters.map(asParameter),
    baseline: Object.fromEntries(options.horizons.map(({ name, key }) => [key, options.baseline[name] ?? {}])),
    values: options.values,
    objective: objectives[options.objective],
    maxPasses: options.maxPasses,
  });
}

export function asParameter({ name, path, min, max, decimals }: TunableParameter): Parameter {
  return { name, path, domain: { kind: "range", min, max, decimals } };
}
