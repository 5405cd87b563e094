import type { Configuration, Parameter, ParameterValue } from "../tournament/parameter.ts";
import { outsideDomain, valueAt, withValue } from "../tournament/parameter.ts";
import { fromUnit, nthValue, sizeOf, toUnit } from "./unit-scale.ts";

/** A parameter that exists only while others have certain values. */
export interface Condition {
  readonly parameter: string;
  readonly values: readonly ParameterValue[];
}

/** A parameter, and when it exists. */
export interface SpaceParameter extends Parameter {
  /** All of these must hold; without any it is always there. */
  readonly when?: readonly Condition[];
}

/** The values of a point by name; what is not there is left out. */
export type NamedValues = Readonly<Record<string, ParameterValue>>;

/** What a point has to be, beside having values of its parameters' domains. */
export interface Constraint {
  /** The rule, as people wrote it. */
  readonly says: string;
  readonly holds: (values: NamedValues) => boolean;
}

/** What is searched. */
export interface SearchSpace {
  /** Those that a condition names come before those that it is for. */
  readonly parameters: readonly SpaceParameter[];
  readonly constraints: readonly Constraint[];
}

/** A value per parameter of the space; undefined where the parameter does not exist. */
export type Point = readonly (ParameterValue | undefined)[];

/** The point at a place of the unit cube. */
export function pointAt({ parameters }: SearchSpace, place: ArrayLike<number>): Point {
  const point: (ParameterValue | undefined)[] = [];
  for (const [i, { domain }] of parameters.entries()) {
    point.push(exists(parameters, i, point) ? fromUnit(domain, place[i]) : undefined);
  }
  return point;
}

/** The place of a point; the middle for what does not exist. */
export function placeOf({ parameters }: SearchSpace, point: Point): Float64Array {
  return Float64Array.from(parameters, ({ domain }, i) => {
    const value = point[i];
    return value === undefined ? 0.5 : toUnit(domain, value);
  });
}

/** The configuration that a point is. */
export function configurationAt({ parameters }: SearchSpace, point: Point): Configuration {
  let configuration: Configuration = {};
  for (const [i, { path }] of parameters.entries()) {
    if (point[i] !== undefined) configuration = withValue(configuration, path, point[i]);
  }
  return configuration;
}

/** The values that exist at a point. */
export function namedValues({ parameters }: SearchSpace, point: Point): NamedValues {
  return Object.fromEntries(parameters.flatMap(({ name }, i) => (point[i] === undefined ? [] : [[name, point[i]]])));
}

/** The point that a configuration is. What it lacks, has beside or outside the space, or breaks is refused in words. */
export function pointOf(space: SearchSpace, configuration: Configuration): Point | string {
  const { parameters, constraints } = space;
  const point: (ParameterValue | undefined)[] = [];
  for (const [i, { name, path, domain }] of parameters.entries()) {
    const value = valueAt(configuration, path);
    if (!exists(parameters, i, point)) {
      if (value !== undefined) return `${name} does not exist there: its condition does not hold`;
      point.push(undefined);
      continue;
    }
    const right = outsideDomain(domain, value);
    if (right !== undefined)
      return `${name} is ${value === undefined ? "missing" : JSON.stringify(value)}: it is ${right}`;
    // Cast: it is in the domain.
    const own = value === 0 ? 0 : (value as ParameterValue);
    if (sizeOf(domain) < Number.POSITIVE_INFINITY && fromUnit(domain, toUnit(domain, own)) !== own) {
      return `${name} is ${own}, which is between two of its steps`;
    }
    point.push(own);
  }
  if (constraints.length === 0) return point;
  const values = namedValues(space, point);
  const broken = constraints.find(({ holds }) => !holds(values));
  return broken === undefined ? point : `it breaks the constraint ${broken.says}`;
}

/** Whether a point keeps every constraint. */
export function isAllowed(space: SearchSpace, point: Point): boolean {
  if (space.constraints.length === 0) return true;
  const values = namedValues(space, point);
  return space.constraints.every(({ holds }) => holds(values));
}

/** Every point of a space in order, the last parameter changing fastest; only for spaces whose parameters can be counted. */
export function* everyPoint(space: SearchSpace): Generator<Point> {
  const { parameters } = space;
  const nth = function* (i: number, before: Point): Generator<Point> {
    if (i === parameters.length) {
      if (isAllowed(space, before)) yield before;
      return;
    }
    const { domain } = parameters[i];
    if (!exists(parameters, i, before)) return yield* nth(i + 1, [...before, undefined]);
    const size = sizeOf(domain);
    for (let n = 0; n < size; n++) yield* nth(i + 1, [...before, nthValue(domain, n)]);
  };
  yield* nth(0, []);
}

/** How many points a space has at most: constraints and conditions may leave fewer. */
export function mostPoints({ parameters }: SearchSpace): number {
  return parameters.reduce((count, { domain }) => count * sizeOf(domain), 1);
}

/** Whether parameter `index` exists, given the values before it. */
function exists(parameters: readonly SpaceParameter[], index: number, before: Point): boolean {
  return (parameters[index].when ?? []).every(({ parameter, values }) => {
    const value = before[parameters.findIndex(({ name }) => name === parameter)];
    return value !== undefined && values.includes(value);
  });
}
