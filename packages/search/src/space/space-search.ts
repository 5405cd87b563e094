import type { Outcome, Proposal, Search } from "@coppice/engine";
import { random } from "@coppice/engine/evaluator";
import { draw } from "../tournament/candidate-values.ts";
import {
  type Configuration,
  type Domain,
  type Parameter,
  type ParameterValue,
  withValue,
} from "../tournament/parameter.ts";
import { fromUnit, nthValue, sizeOf, toUnit } from "./unit-scale.ts";

/** What is searched, for what, and how long. */
export interface SpaceOptions {
  readonly parameters: readonly Parameter[];
  readonly objective: "minimize" | "maximize";
  /** How many points are tried; when there are no more than that, all of them are. */
  readonly evaluations: number;
  readonly seed: number;
}

/** The best point that was found, if any had a value. */
export interface BestPoint {
  readonly best: { readonly point: Configuration; readonly value: number } | null;
  readonly evaluations: number;
  /** Points that had no value. */
  readonly failed: number;
}

/** Points a round; all of them can be evaluated at once. */
const ROUND = 16;
/** Later rounds look around this many of the best so far; every fourth point is drawn from the whole space. */
const PARENTS = 4;
const ANYWHERE_EVERY = 4;
/** Numbers near a parent are at most this part of their range away, at first and at last. */
const REACH = { first: 0.25, last: 0.01 } as const;

type Values = readonly ParameterValue[];

/**
 * Looks for the best point of a small space: every point if there are few enough, otherwise random ones first and then
 * ones around the best so far, closer and closer. A round is a barrier: the search waits for all of it.
 */
export function spaceSearch(options: SpaceOptions): Search<Configuration, number, BestPoint> {
  const { parameters, evaluations } = options;
  const count = pointCount(parameters, evaluations);
  const total = count ?? evaluations;
  const sign = options.objective === "minimize" ? 1 : -1;
  const stream = random(options.seed).at("space");
  /** Told points with a value, best first; of equal ones the earlier. */
  const ranking: { readonly values: Values; readonly value: number }[] = [];
  let round: Values[] = [];
  let asked = 0;
  let told = 0;
  let failed = 0;

  const pointAt = (index: number): Values => {
    if (count !== undefined) return nthPoint(parameters, index);
    const draws = stream.at(index);
    const near = ranking.length > 0 && index % ANYWHERE_EVERY !== 0;
    if (!near) return parameters.map(({ domain }) => draw(draws, domain));
    const parent = ranking[draws.integer(0, Math.min(PARENTS, ranking.length) - 1)].values;
    const reach = REACH.first * (REACH.last / REACH.first) ** (index / total);
    const always = draws.integer(0, parameters.length - 1);
    return parameters.map(({ domain }, d) =>
      d === always || draws.uniform() < 1 / parameters.length ? around(parent[d], domain, reach, draws) : parent[d],
    );
  };

  return {
    ask(): Proposal<Configuration> {
      if (told === total) return { kind: "done" };
      const size = count === undefined ? ROUND : total;
      if (asked === total || (asked > told && asked % size === 0)) return { kind: "wait" };
      if (asked === told) round = [];
      const values = pointAt(asked);
      round.push(values);
      asked++;
      const candidate = configurationOf(parameters, values);
      return { kind: "candidate", candidate, key: JSON.stringify(candidate) };
    },
    tell(outcome: Outcome<number>): void {
      const values = round[told - (asked - round.length)];
      told++;
      // A program may print anything; what is not a number does not count as a value.
      if (!outcome.ok || typeof outcome.value !== "number") failed++;
      else {
        const { value } = outcome;
        const worse = ranking.findIndex((other) => sign * value < sign * other.value);
        ranking.splice(worse < 0 ? ranking.length : worse, 0, { values, value });
        ranking.length = Math.min(ranking.length, PARENTS);
      }
    },
    result: () => ({ best: bestOf(parameters, ranking[0]), evaluations: told, failed }),
    progress: () => ({
      levels: [{ name: "Points", done: told, total }],
      ...(ranking.length === 0 ? {} : { best: ranking[0].value }),
    }),
  };
}

function bestOf(
  parameters: readonly Parameter[],
  best: { readonly values: Values; readonly value: number } | undefined,
) {
  return best === undefined ? null : { point: configurationOf(parameters, best.values), value: best.value };
}

function configurationOf(parameters: readonly Parameter[], values: Values): Configuration {
  let configuration: Configuration = {};
  for (const [i, { path }] of parameters.entries()) configuration = withValue(configuration, path, values[i]);
  return configuration;
}

/** How many points there are, if no more than `most`. */
function pointCount(parameters: readonly Parameter[], most: number): number | undefined {
  let count = 1;
  for (const { domain } of parameters) {
    count *= sizeOf(domain);
    if (count > most) return undefined;
  }
  return count;
}

/** The last parameter changes fastest. */
function nthPoint(parameters: readonly Parameter[], index: number): Values {
  const values: ParameterValue[] = [];
  let rest = index;
  for (const { domain } of parameters.toReversed()) {
    const at = rest % sizeOf(domain);
    rest = Math.floor(rest / sizeOf(domain));
    values.unshift(nthValue(domain, at));
  }
  return values;
}

function around(
  value: ParameterValue,
  domain: Domain,
  reach: number,
  draws: Parameters<typeof draw>[0],
): ParameterValue {
  if (domain.kind === "choice" || typeof value !== "number") return draw(draws, domain);
  if (domain.kind === "real") {
    return fromUnit(domain, toUnit(domain, value) + reach * (2 * draws.uniform() - 1));
  }
  const { min, max, decimals } = domain;
  const step = Math.max((max - min) * reach, 10 ** -decimals);
  const moved = value + step * (2 * draws.uniform() - 1);
  return Number(Math.min(max, Math.max(min, moved)).toFixed(decimals));
}
