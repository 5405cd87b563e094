import { type Random, random } from "@coppice/engine/evaluator";
import { fromUnit } from "../space/unit-scale.ts";
import { type Domain, outsideDomain, type Parameter, type ParameterValue } from "./parameter.ts";

/** A parameter's value in a baseline; undefined when the baseline leaves it out. */
export type OwnValue = ParameterValue | undefined;

/** Where a parameter's test values come from. */
export interface CandidateValues {
  /** The values to test on a horizon's baseline; the first is normally the baseline's `own`. */
  of(parameter: Parameter, horizon: string, pass: number, own: OwnValue): readonly OwnValue[];
}

/**
 * The baseline's own value and `count` random ones. Each (pass, parameter, horizon) has a stream of its own, so leaving
 * out a parameter or a horizon changes no other's values.
 */
export function drawnValues(seed: number, count: number): CandidateValues {
  const stream = random(seed).at("tournament");
  return {
    of(parameter, horizon, pass, own) {
      const draws = stream.at(`pass/${pass}`).at(parameter.name).at(horizon);
      return [own, ...Array.from({ length: count }, () => draw(draws, parameter.domain))];
    },
  };
}

/** Values of each parameter by horizon, one table per pass; the last table serves all later passes. */
export type GivenValues = readonly Readonly<Record<string, Readonly<Record<string, readonly ParameterValue[]>>>>[];

/**
 * Values somebody else chose, for instance those of a recorded tournament. They are tested as they are when they begin
 * with the baseline's own value, else after it. A first value outside the parameter's domain can only be what the
 * recorded baseline had, so the baseline's own value takes its place.
 */
export function givenValues(passes: GivenValues): CandidateValues {
  return {
    of(parameter, horizon, pass, own) {
      const table = passes[Math.min(pass, passes.length - 1)];
      const values = table?.[parameter.name]?.[horizon] ?? [];
      const [first, ...others] = values;
      if (Object.is(first, own)) return values;
      const recorded = first !== undefined && outsideDomain(parameter.domain, first) !== undefined;
      return [own, ...(recorded ? others : values)];
    },
  };
}

/** A value of a domain, all equally likely. */
export function draw(random: Random, domain: Domain): ParameterValue {
  if (domain.kind === "choice") return random.choice(domain.values);
  if (domain.kind === "real") return fromUnit(domain, random.uniform());
  const { min, max, decimals } = domain;
  if (decimals === 0) return random.integer(min, max);
  // What is rounded to -0.0 is 0.
  return Number((min + (max - min) * random.uniform()).toFixed(decimals)) + 0;
}
