import { UsageError } from "@coppice/engine/usage-error";
import { type Domain, outsideDomain, type ParameterValue } from "../tournament/parameter.ts";
import type { Constraint, SearchSpace, SpaceParameter } from "./search-space.ts";
import { fromUnit, sizeOf, toUnit } from "./unit-scale.ts";

/** Makes a space of parameters in any order. What cannot be is refused in one line that begins with `where`. */
export function checkedSpace(
  where: string,
  parameters: readonly SpaceParameter[],
  constraints: readonly Constraint[] = [],
): SearchSpace {
  if (parameters.length === 0) throw new UsageError(`${where} has no parameters: name at least one`);
  const names = parameters.map(({ name }) => name);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new UsageError(`${where} names ${JSON.stringify(repeated)} twice`);
  checkPlaces(where, parameters);
  for (const parameter of parameters) checkDomain(`${where} ${parameter.name}`, parameter);
  for (const parameter of parameters) checkConditions(`${where} ${parameter.name}`, parameter, parameters);
  return { parameters: parentsFirst(where, parameters), constraints };
}

/** Two parameters cannot be at one place, nor one inside of another. */
function checkPlaces(where: string, parameters: readonly SpaceParameter[]): void {
  for (const [i, { name, path }] of parameters.entries()) {
    const other = parameters.slice(0, i).find((before) => {
      const length = Math.min(path.length, before.path.length);
      return path.slice(0, length).join("\0") === before.path.slice(0, length).join("\0");
    });
    if (other === undefined) continue;
    const places = `${other.path.join(".")} and ${path.join(".")}`;
    throw new UsageError(`${where}: ${other.name} and ${name} are at ${places}: each needs a place of its own`);
  }
}

function checkDomain(at: string, { domain }: SpaceParameter): void {
  const refuse = (why: string): never => {
    throw new UsageError(`${at}: ${why}`);
  };
  if (domain.kind === "choice") {
    const { values } = domain;
    if (values.length === 0) refuse("there is no value to choose from: name at least one");
    const twice = values.find((value, i) => values.indexOf(value) !== i);
    if (twice !== undefined) refuse(`the value ${JSON.stringify(twice)} is there twice`);
    if (values.some((value) => typeof value === "number" && !Number.isFinite(value))) refuse("a value is not a number");
    return;
  }
  const { min, max } = domain;
  if (!(Number.isFinite(min) && Number.isFinite(max))) refuse(`min and max are numbers, not ${min} and ${max}`);
  if (min > max) refuse(`min ${min} is above max ${max}`);
  if (!Number.isFinite(max - min)) refuse(`the range from ${min} to ${max} is too wide to be counted in`);
  if (domain.kind === "range") {
    if (domain.decimals === 0 && !(Number.isInteger(min) && Number.isInteger(max))) {
      refuse(`without decimals, min and max are whole numbers, not ${min} and ${max}`);
    }
    return;
  }
  const { log = false, step } = domain;
  if (log && min <= 0) refuse(`a logarithmic scale starts above 0, not at ${min}`);
  if (step === undefined) return;
  if (!(step > 0)) refuse(`a step is above 0, not ${step}`);
  if (sizeOf(domain) < 2) refuse(`step ${step} is larger than the range from ${min} to ${max}`);
  if (sizeOf(domain) > Number.MAX_SAFE_INTEGER) refuse(`step ${step} is too small for the range from ${min} to ${max}`);
}

function checkConditions(at: string, { when = [] }: SpaceParameter, all: readonly SpaceParameter[]): void {
  for (const { parameter, values } of when) {
    const parent = all.find(({ name }) => name === parameter);
    if (parent === undefined) {
      const known = all.map(({ name }) => name).join(", ");
      throw new UsageError(
        `${at}: its condition is on ${parameter}, which is not a parameter; the parameters are ${known}`,
      );
    }
    if (values.length === 0) throw new UsageError(`${at}: its condition on ${parameter} names no value`);
    for (const value of values) {
      const right = outsideDomain(parent.domain, value) ?? betweenSteps(parent.domain, value);
      if (right === undefined) continue;
      throw new UsageError(`${at}: its condition is ${parameter} = ${value}, but ${parameter} is ${right}`);
    }
  }
}

/** What a value in a domain would have to be where the domain never has it. */
function betweenSteps(domain: Domain, value: ParameterValue): string | undefined {
  if (sizeOf(domain) === Number.POSITIVE_INFINITY || fromUnit(domain, toUnit(domain, value)) === value)
    return undefined;
  return "never between two of its steps";
}

/** The order in which values can be chosen; otherwise as given. */
function parentsFirst(where: string, parameters: readonly SpaceParameter[]): readonly SpaceParameter[] {
  const placed: SpaceParameter[] = [];
  let left = parameters;
  while (left.length > 0) {
    const known = new Set(placed.map(({ name }) => name));
    const next = left.find(({ when = [] }) => when.every(({ parameter }) => known.has(parameter)));
    if (next === undefined) {
      const circle = left.map(({ name }) => name).join(", ");
      throw new UsageError(`${where}: the conditions of ${circle} go round in a circle: remove one of them`);
    }
    placed.push(next);
    left = left.filter((parameter) => parameter !== next);
  }
  return placed;
}
